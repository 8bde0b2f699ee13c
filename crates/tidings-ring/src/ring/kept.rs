//! A ring that is kept alive by somebody who does not know what its slots hold.

use super::Ring;
use crate::{shared::Shared, slot::place::Store};
use alloc::boxed::Box;
use tidings_core::sync::Arc;

/// See the module.
pub struct KeptRing(Box<dyn Keep>);

trait Keep: Send + Sync {
    fn shared(&self) -> &Shared;
    fn again(&self) -> Box<dyn Keep>;
}

struct Typed<S: Store>(Arc<Ring<S>>);

impl<S: Store + Send + Sync> Keep for Typed<S> {
    fn shared(&self) -> &Shared {
        &self.0.shared
    }

    fn again(&self) -> Box<dyn Keep> {
        Box::new(Self(Arc::clone(&self.0)))
    }
}

impl KeptRing {
    pub(crate) fn new<S: Store + Send + Sync>(ring: &Arc<Ring<S>>) -> Self {
        Self(Box::new(Typed(Arc::clone(ring))))
    }

    pub(crate) fn shared(&self) -> &Shared {
        self.0.shared()
    }
}

impl Clone for KeptRing {
    fn clone(&self) -> Self {
        Self(self.0.again())
    }
}
