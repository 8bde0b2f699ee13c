//! What the expansions claim and the compiler does not check: the marker traits of plain data.
//!
//! ```text
//! I1        `no_uninit` goes out beside assertions that every field is a payload and that there is no padding
//!           (payload/model.rs says how that is known), on an item whose trait bounds demand both of parameters
//! I2        `pod` goes out for a twin only: packed, of fields that are `Pod` by the bound on `Wire::Repr`
//! ```

#![allow(unsafe_code)] // the claims; each is a `quote!`, and becomes code where the derive stands

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Ident};

/// By I1: the type has no uninitialised bytes.
pub fn no_uninit(name: &Ident, generics: &Generics) -> TokenStream {
    let (parameters, arguments, bounds) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        unsafe impl #parameters ::tidings::ring::NoUninit for #name #arguments #bounds {}
    }
}

/// By I2: every bit pattern is a value, zero too.
pub fn pod(twin: &Ident, generics: &Generics) -> TokenStream {
    let (parameters, arguments, bounds) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        unsafe impl #parameters ::tidings::ring::bytemuck::Zeroable for #twin #arguments #bounds {}
        #[automatically_derived]
        unsafe impl #parameters ::tidings::ring::bytemuck::Pod for #twin #arguments #bounds {}
    }
}
