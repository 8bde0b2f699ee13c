//! Tables of models, and of mutants that must fail, as tests.

/// Each row: a test that runs a model.
macro_rules! models {
    ($($name:ident: $model:expr;)*) => {
        $(
            #[test]
            fn $name() {
                $model();
            }
        )*
    };
}

/// Each row: a model that must end with the symptom when the step is switched off.
macro_rules! mutants {
    ($($name:ident: $step:literal off in $model:expr, $symptom:literal;)*) => {
        $(
            #[test]
            fn $name() {
                tidings_core::sync::mutation::must_fail(stringify!($name), $step, $symptom, $model);
            }
        )*
    };
}
