//! The code of `derive(Wire)`: what structs and enums have in common.

use super::model::{Model, Shape};
use super::parts::{Parts, docs};
use super::{structure, variants};
use crate::claim;
use proc_macro2::TokenStream;
use quote::quote;

pub fn expand(model: &Model) -> TokenStream {
    let parts = match &model.shape {
        Shape::Struct(fields) => structure::parts(model, fields),
        Shape::Enum { tag, variants } => variants::parts(model, tag, variants),
    };
    let docs = docs(
        &format!(
            "The plain-data twin of [`{}`], for [`Wire`](::tidings::ring::Wire).",
            model.name
        ),
        &model.docs,
    );
    let twin = &parts.twin;
    let wire = wire(model, &parts);
    let plain = plain(model, &parts);
    let conversions = conversions(model);
    quote! {
        #(#docs)*
        #[repr(C, packed)]
        #twin
        #wire
        #plain
        #conversions
    }
}

/// Variants may have any name, so no associated type is named by way of `Self`.
fn wire(model: &Model, parts: &Parts) -> TokenStream {
    let (name, twin) = (&model.name, &model.twin);
    let (parameters, arguments, bounds) = model.generics.split_for_impl();
    let Parts {
        items, there, back, ..
    } = parts;
    quote! {
        const _: () = {
            #items
            #[automatically_derived]
            impl #parameters ::tidings::ring::Wire for #name #arguments #bounds {
                type Repr = #twin #arguments;
                #[inline]
                fn to_wire(&self) -> #twin #arguments { #there }
                #[inline]
                fn from_wire(twin: #twin #arguments) -> ::core::result::Result<Self, ::tidings::ring::WireError> { #back }
            }
        };
    }
}

/// What a twin is by itself: plain data that can be copied and shown.
fn plain(model: &Model, parts: &Parts) -> TokenStream {
    let twin = &model.twin;
    let (parameters, arguments, bounds) = model.generics.split_for_impl();
    let debug = &parts.debug;
    let claim = claim::pod(twin, &model.generics);
    quote! {
        #claim
        #[automatically_derived]
        impl #parameters ::core::marker::Copy for #twin #arguments #bounds {}
        #[automatically_derived]
        impl #parameters ::core::clone::Clone for #twin #arguments #bounds {
            #[inline]
            fn clone(&self) -> Self { *self }
        }
        #[automatically_derived]
        impl #parameters ::core::fmt::Debug for #twin #arguments #bounds {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { #debug }
        }
    }
}

fn conversions(model: &Model) -> TokenStream {
    let (name, twin) = (&model.name, &model.twin);
    let (parameters, arguments, bounds) = model.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters ::core::convert::From<#name #arguments> for #twin #arguments #bounds {
            #[inline]
            fn from(value: #name #arguments) -> Self { ::tidings::ring::Wire::to_wire(&value) }
        }
        #[automatically_derived]
        impl #parameters ::core::convert::TryFrom<#twin #arguments> for #name #arguments #bounds {
            type Error = ::tidings::ring::WireError;
            #[inline]
            fn try_from(twin: #twin #arguments) -> ::core::result::Result<Self, ::tidings::ring::WireError> {
                ::tidings::ring::Wire::from_wire(twin)
            }
        }
    }
}
