//! What is of its own in the twin of a struct, and in that of an enum.

use proc_macro2::TokenStream;
use syn::{Attribute, parse_quote};

/// The parts of an expansion.
pub struct Parts {
    /// The struct that is the twin, without attributes.
    pub twin: TokenStream,
    /// `Debug` of the twin: an expression, given `f`.
    pub debug: TokenStream,
    /// Items that the bodies need.
    pub items: TokenStream,
    /// The body of `to_wire`.
    pub there: TokenStream,
    /// The body of `from_wire`, given `twin`.
    pub back: TokenStream,
}

/// A sentence, and below it what the user wrote.
pub fn docs(sentence: &str, written: &[Attribute]) -> Vec<Attribute> {
    let mut docs = vec![parse_quote!(#[doc = #sentence])];
    if !written.is_empty() {
        docs.push(parse_quote!(#[doc = ""]));
    }
    docs.extend_from_slice(written);
    docs
}
