//! The code of `derive(Payload)`: the claim, and the assertions that make it true.

use super::model::{Model, Proof, Run};
use crate::{claim, field};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Generics, Ident, Member, parse_quote, spanned::Spanned};

pub fn expand(model: &Model) -> TokenStream {
    let assertions = match &model.proof {
        Proof::Adjoining(runs) => runs.iter().map(|run| adjoin(&model.name, run)).collect(),
        Proof::Representation | Proof::OneType => TokenStream::new(),
    };
    let fields = (model.generics.params.is_empty()).then(|| fields_are_payloads(model));
    let claim = claim::no_uninit(&model.name, &bounds(model));
    quote! { #claim const _: () = { #fields #assertions }; }
}

/// Without parameters: each field is a payload, or the error is at its type.
fn fields_are_payloads(model: &Model) -> TokenStream {
    let calls = model
        .elements
        .iter()
        .map(|element| quote_spanned!(element.span()=> __is_payload::<#element>();));
    quote! {
        const fn __is_payload<T: ::tidings::ring::Payload>() {}
        #(#calls)*
    }
}

/// With parameters: the same as bounds.
fn bounds(model: &Model) -> Generics {
    let mut generics = model.generics.clone();
    if generics.params.is_empty() {
        return generics;
    }
    field::outlive_all(&mut generics);
    let bounds = &mut generics.make_where_clause().predicates;
    for element in &model.elements {
        bounds.push(field::bound(element, "Payload"));
    }
    if let (Proof::OneType, [first, others @ ..]) = (&model.proof, &*model.elements) {
        for other in others {
            bounds.push(parse_quote!(#other: ::tidings::ring::layout::Same<#first>));
        }
    }
    generics
}

/// A place where bytes may be missing: a field, or the integer before the fields of a variant.
struct Piece {
    member: Member,
    ty: TokenStream,
    name: String,
    span: Span,
}

/// The pieces of a run begin where the ones before them end, and the last ends with the whole.
fn adjoin(name: &Ident, run: &Run) -> TokenStream {
    let pieces = pieces(run);
    let Some(last) = pieces.last() else {
        return TokenStream::new(); // nothing in it, not even padding
    };
    let of = &run.of;
    let holder = if run.tag.is_some() {
        &format_ident!("{MIRROR}")
    } else {
        name
    };
    let end = |piece: &Piece| {
        let Piece { member, ty, .. } = piece;
        quote!(::core::mem::offset_of!(#holder, #member) + ::core::mem::size_of::<#ty>())
    };
    let between = pieces.windows(2).map(|pair| {
        let (before, after) = (&pair[0], &pair[1]);
        let (end, member) = (end(before), &after.member);
        let place = format!("between {} and {} of `{of}`: {ADVICE}", before.name, after.name);
        quote_spanned!(after.span=> const _: () = ::tidings::ring::layout::no_gap(#end, ::core::mem::offset_of!(#holder, #member), #place);)
    });
    let behind = {
        let end = end(last);
        let place = format!("after {} of `{of}`: {ADVICE}", last.name);
        quote_spanned!(last.span=> const _: () = ::tidings::ring::layout::no_gap(#end, ::core::mem::size_of::<#name>(), #place);)
    };
    let variant = run.tag.is_some().then(|| mirror(&pieces));
    quote!({ #variant #(#between)* #behind })
}

/// The name of a variant as a struct; a field of a type called so would be refused, as it would hold itself.
const MIRROR: &str = "__PayloadVariant";

const ADVICE: &str = "order the fields by width, or give the bytes to a field";

fn pieces(run: &Run) -> Vec<Piece> {
    let tag = run.tag.iter().map(|(tag, span)| Piece {
        member: Member::Named(format_ident!("tag")),
        ty: quote!(#tag),
        name: String::from("the number"),
        span: *span,
    });
    let fields = run.fields.iter().enumerate().map(|(n, field)| {
        let ty = &field.ty;
        Piece {
            member: match run.tag {
                Some(_) => Member::Named(format_ident!("field_{n}")),
                None => field.member.clone(),
            },
            ty: quote!(#ty),
            name: format!("`{}`", field.name),
            span: field.span,
        }
    });
    tag.chain(fields).collect()
}

/// How a variant lies in memory, by the definition of an integer representation.
fn mirror(pieces: &[Piece]) -> TokenStream {
    let members = pieces.iter().map(|piece| &piece.member);
    let types = pieces.iter().map(|piece| &piece.ty);
    let mirror = format_ident!("{MIRROR}");
    quote! {
        #[repr(C)]
        #[allow(dead_code)]
        struct #mirror { #(#members: #types),* }
    }
}
