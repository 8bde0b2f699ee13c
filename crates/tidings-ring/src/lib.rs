//! tidings-ring
