//! The few statistics that a table needs.

/// The smallest value; 0 of nothing.
pub fn min(values: &[f64]) -> f64 {
    values.iter().copied().reduce(f64::min).unwrap_or(0.0)
}

/// The middle value, or the mean of the two in the middle; 0 of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

/// The value below which `part` (0..=1) of the sorted values lie; 0 of nothing.
pub fn percentile(sorted: &[u64], part: f64) -> u64 {
    let last = sorted.len().saturating_sub(1);
    sorted
        .get((last as f64 * part).round() as usize)
        .copied()
        .unwrap_or(0)
}

/// The median of the ratios of values that were taken one after the other in the same round.
pub fn paired_ratio(ours: &[f64], theirs: &[f64]) -> f64 {
    let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a / b).collect();
    median(&ratios)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between() {
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), 2.5);
        assert_eq!(median(&[5.0, 1.0, 3.0]), 3.0);
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn percentiles_reach_both_ends() {
        let sorted: Vec<u64> = (0..=100).collect();
        assert_eq!(
            [
                percentile(&sorted, 0.0),
                percentile(&sorted, 0.5),
                percentile(&sorted, 1.0)
            ],
            [0, 50, 100]
        );
    }

    #[test]
    fn a_paired_ratio_is_not_moved_by_a_slow_round() {
        assert_eq!(paired_ratio(&[1.0, 100.0, 1.0], &[2.0, 200.0, 2.0]), 0.5);
    }
}
