//! A struct's twin: the same fields, each as its twin.

use super::model::Model;
use super::parts::{Parts, docs};
use crate::field::{self, Field};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Fields, spanned::Spanned};

pub fn parts(model: &Model, written: &Fields) -> Parts {
    let fields = field::all(written);
    let owner = field::plain(&model.name);
    let there = fields.iter().map(|Field { member, ty, .. }| {
        quote_spanned!(ty.span()=> #member: <#ty as ::tidings::ring::Wire>::to_wire(&self.#member))
    });
    let back = fields.iter().map(|Field { member, ty, name, .. }| {
        quote_spanned!(ty.span()=> #member: <#ty as ::tidings::ring::Wire>::from_wire(twin.#member)
            .map_err(|error| error.in_field(#owner, #name))?)
    });
    let name = &model.twin;
    Parts {
        twin: twin(model, written, &fields),
        debug: debug(&name.to_string(), written, &fields),
        items: TokenStream::new(),
        there: quote!(#name { #(#there),* }),
        back: quote!(::core::result::Result::Ok(Self { #(#back),* })),
    }
}

fn twin(model: &Model, written: &Fields, fields: &[Field]) -> TokenStream {
    let (visibility, name) = (&model.visibility, &model.twin);
    let (generics, bounds) = (&model.generics, &model.generics.where_clause);
    let declarations = fields.iter().map(|field| {
        let docs = docs(&format!("`{}` as plain data.", field.name), &field.docs);
        let (visibility, ty) = (&field.visibility, &field.ty);
        let name = matches!(written, Fields::Named(_)).then(|| &field.member).into_iter();
        quote_spanned!(ty.span()=> #(#docs)* #visibility #(#name:)* <#ty as ::tidings::ring::Wire>::Repr)
    });
    match written {
        Fields::Named(_) => {
            quote!(#visibility struct #name #generics #bounds { #(#declarations),* })
        }
        Fields::Unnamed(_) => {
            quote!(#visibility struct #name #generics (#(#declarations),*) #bounds;)
        }
        Fields::Unit => quote!(#visibility struct #name #generics #bounds;),
    }
}

/// Fields are copied out, since a packed one cannot be borrowed.
fn debug(name: &str, written: &Fields, fields: &[Field]) -> TokenStream {
    let members = fields.iter().map(|field| &field.member);
    if matches!(written, Fields::Unnamed(_)) {
        return quote!(f.debug_tuple(#name) #(.field(&{ self.#members }))* .finish());
    }
    let names = fields.iter().map(|field| &field.name);
    quote!(f.debug_struct(#name) #(.field(#names, &{ self.#members }))* .finish())
}
