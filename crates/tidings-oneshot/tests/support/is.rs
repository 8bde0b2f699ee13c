//! Asks whether a type satisfies a bound.

/// An inherent constant, which hides the trait's, exists when it does.
macro_rules! is {
    ($type:ty: $bound:path) => {{
        #[allow(dead_code, reason = "one of the two constants is hidden")]
        trait Otherwise {
            const HOLDS: bool = false;
        }
        impl<T: ?Sized> Otherwise for T {}
        struct Probe<T: ?Sized>(std::marker::PhantomData<T>);
        #[allow(dead_code, reason = "as above")]
        impl<T: ?Sized + $bound> Probe<T> {
            const HOLDS: bool = true;
        }
        <Probe<$type>>::HOLDS
    }};
}
