//! tidings-core
