//! An enum's twin: the number of the variant, and its fields in room that is as long as those of the longest.

use super::model::{Model, Variant};
use super::parts::Parts;
use crate::field::{self, Field};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};

pub fn parts(model: &Model, tag: &Ident, variants: &[Variant]) -> Parts {
    let has_body = model.shape.has_body();
    let name = model.twin.to_string();
    let body = has_body.then(|| quote!(.field("body", &{ self.body })));
    Parts {
        twin: twin(model, tag, variants),
        debug: quote!(f.debug_struct(#name).field("tag", &{ self.tag }) #body .finish()),
        items: variants
            .iter()
            .enumerate()
            .map(|(n, variant)| number(n, tag, variant))
            .collect(),
        there: there(model, tag, variants),
        back: back(model, tag, variants),
    }
}

fn twin(model: &Model, tag: &Ident, variants: &[Variant]) -> TokenStream {
    let (visibility, name) = (&model.visibility, &model.twin);
    let (generics, bounds) = (&model.generics, &model.generics.where_clause);
    let types = variants.iter().map(|variant| body_type(&variant.fields));
    let body = model.shape.has_body().then(|| {
        quote! {
            /// The fields of that variant.
            #visibility body: ::tidings::ring::WireBody<{
                ::tidings::ring::layout::widest(&[#(::core::mem::size_of::<#types>()),*])
            }>,
        }
    });
    quote! {
        #visibility struct #name #generics #bounds {
            /// The number of the variant.
            #visibility tag: <#tag as ::tidings::ring::Wire>::Repr,
            #body
        }
    }
}

fn constant(n: usize) -> Ident {
    format_ident!("__TAG_{n}")
}

fn number(n: usize, tag: &Ident, variant: &Variant) -> TokenStream {
    let (constant, number) = (constant(n), &variant.number);
    quote!(const #constant: #tag = #number;)
}

fn there(model: &Model, tag: &Ident, variants: &[Variant]) -> TokenStream {
    let has_body = model.shape.has_body();
    let name = &model.twin;
    let arms = variants
        .iter()
        .enumerate()
        .map(|(n, Variant { ident, fields, .. })| {
            let constant = constant(n);
            let members = fields.iter().map(|field| &field.member);
            let (names, body) = (names(fields), body_value(&twins(fields)));
            let body = has_body.then(|| quote!(::tidings::ring::WireBody::of(#body)));
            quote!(Self::#ident { #(#members: #names),* } => (#constant, #body))
        });
    let body = has_body.then(|| quote!(body));
    quote! {
        let (tag, #body) = match self { #(#arms),* };
        #name { tag: <#tag as ::tidings::ring::Wire>::to_wire(&tag), #body }
    }
}

fn back(model: &Model, tag: &Ident, variants: &[Variant]) -> TokenStream {
    let owner = field::plain(&model.name);
    let arms = variants
        .iter()
        .enumerate()
        .map(|(n, Variant { ident, fields, .. })| {
            let constant = constant(n);
            let (ty, pattern) = (body_type(fields), body_value(&pattern(fields)));
            let read =
                (!fields.is_empty()).then(|| quote!(let #pattern = { twin.body }.read::<#ty>();));
            let values = fields.iter().zip(names(fields)).map(|(field, twin)| {
                let Field {
                    member, ty, name, ..
                } = field;
                let name = format!("{}.{name}", field::plain(ident));
                quote_spanned!(ty.span()=> #member: <#ty as ::tidings::ring::Wire>::from_wire(#twin)
                .map_err(|error| error.in_field(#owner, #name))?)
            });
            quote!(#constant => { #read ::core::result::Result::Ok(Self::#ident { #(#values),* }) })
        });
    quote! {

        match <#tag as ::tidings::ring::Wire>::from_wire(twin.tag)? {
            #(#arms)*
            tag => ::core::result::Result::Err(::core::convert::From::from(
                ::tidings::ring::WireFault::Variant { of: #owner, tag: tag as i128 },
            )),
        }
    }
}

/// The fields of a variant while they are handled.
fn names(fields: &[Field]) -> Vec<Ident> {
    (0..fields.len())
        .map(|n| format_ident!("field_{n}"))
        .collect()
}

fn pattern(fields: &[Field]) -> Vec<TokenStream> {
    names(fields).iter().map(|name| quote!(#name)).collect()
}

fn twins(fields: &[Field]) -> Vec<TokenStream> {
    let twin = |(field, name): (&Field, Ident)| {
        let ty = &field.ty;
        quote_spanned!(ty.span()=> <#ty as ::tidings::ring::Wire>::to_wire(#name))
    };
    fields.iter().zip(names(fields)).map(twin).collect()
}

/// The fields' twins as one: pairs, nested to the right.
fn body_type(fields: &[Field]) -> TokenStream {
    let twin = |field: &Field| {
        let ty = &field.ty;
        quote_spanned!(ty.span()=> <#ty as ::tidings::ring::Wire>::Repr)
    };
    let pair = |rest, first| quote!(::tidings::ring::WirePair<#first, #rest>);
    fields
        .iter()
        .map(twin)
        .rev()
        .reduce(pair)
        .unwrap_or_else(|| quote!(()))
}

/// A value or pattern of that type.
fn body_value(fields: &[TokenStream]) -> TokenStream {
    let pair = |rest, first| quote!(::tidings::ring::WirePair(#first, #rest));
    fields
        .iter()
        .cloned()
        .rev()
        .reduce(pair)
        .unwrap_or_else(|| quote!(()))
}
