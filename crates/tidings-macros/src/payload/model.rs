//! What a payload is made of, and why its bytes are all initialised.
//!
//! A type has no padding if its fields have none and every field begins where the one before it ends:
//!
//! | item | shown by |
//! |---|---|
//! | `repr(transparent)`, `repr(C, packed)` | the representation: nothing lies between or behind fields |
//! | `repr(C)` struct | constants that compare offsets: [`Proof::Adjoining`] |
//! | the same with parameters | all fields are one type or arrays of it: [`Proof::OneType`]; constants would be evaluated too late |
//! | enum with an integer representation and no fields | nothing: it is the integer |
//! | the same with fields | each variant is a `repr(C)` struct that begins with the integer, and as long as the enum |

use crate::field::{self, Field};
use crate::repr::Repr;
use proc_macro2::Span;
use quote::ToTokens;
use syn::{
    Data, DataEnum, DeriveInput, Error, Fields, GenericParam, Generics, Ident, Result, Type,
    Variant,
};

pub struct Model {
    pub name: Ident,
    pub generics: Generics,
    /// Types that have to be payloads. Of an array that is its element, since an array has no bytes of its own.
    pub elements: Vec<Type>,
    pub proof: Proof,
}

pub enum Proof {
    /// By the representation alone.
    Representation,
    /// Each run of fields adjoins, from the first byte to the last.
    Adjoining(Vec<Run>),
    /// The elements are one type.
    OneType,
}

/// Fields that lie one after the other.
pub struct Run {
    /// The struct or variant, for messages.
    pub of: String,
    /// The integer that the fields of a variant come after.
    pub tag: Option<(Ident, Span)>,
    pub fields: Vec<Field>,
}

impl Model {
    pub fn parse(item: &DeriveInput) -> Result<Self> {
        if let Some(lifetime) = item.generics.lifetimes().next() {
            return Err(Error::new_spanned(
                lifetime,
                "a payload borrows nothing: it outlives whoever published it",
            ));
        }
        let repr = Repr::parse(&item.attrs)?;
        let proof = match &item.data {
            Data::Struct(data) => structure(item, &repr, field::all(&data.fields))?,
            Data::Enum(data) => enumeration(item, &repr, data)?,
            Data::Union(data) => {
                return Err(Error::new(
                    data.union_token.span,
                    "a union is no payload: bytes of it may never have been written",
                ));
            }
        };
        Ok(Self {
            name: item.ident.clone(),
            generics: item.generics.clone(),
            elements: elements(&item.data),
            proof,
        })
    }
}

fn structure(item: &DeriveInput, repr: &Repr, fields: Vec<Field>) -> Result<Proof> {
    if repr.transparent || repr.c && repr.packed {
        return Ok(Proof::Representation);
    }
    if !repr.c {
        return Err(Error::new_spanned(
            &item.ident,
            "the layout of a payload is laid down: add `#[repr(C)]`, or `#[repr(transparent)]` for a single field",
        ));
    }
    if item.generics.params.is_empty() {
        let run = Run {
            of: field::plain(&item.ident),
            tag: None,
            fields,
        };
        return Ok(Proof::Adjoining(vec![run]));
    }
    let elements: Vec<String> = fields
        .iter()
        .map(|field| element(&field.ty).to_token_stream().to_string())
        .collect();
    let other = elements.iter().position(|element| *element != elements[0]);
    match other.map(|other| fields[other].span) {
        None if !repr.align => Ok(Proof::OneType),
        span => Err(depends(item, span.unwrap_or(item.ident.span()))),
    }
}

/// Whether there is padding depends on parameters.
fn depends(item: &DeriveInput, span: Span) -> Error {
    let name = |parameter: &GenericParam| match parameter {
        GenericParam::Type(parameter) => format!("`{}`", parameter.ident),
        GenericParam::Const(parameter) => format!("`{}`", parameter.ident),
        GenericParam::Lifetime(parameter) => format!("`{}`", parameter.lifetime),
    };
    let names: Vec<String> = item.generics.params.iter().map(name).collect();
    let names = names.join(", ");
    Error::new(
        span,
        format!(
            "whether there is padding may depend on {names}: make all fields one type or arrays of it, \
             or use `#[repr(C, packed)]`, or `#[repr(transparent)]` for a single field"
        ),
    )
}

fn enumeration(item: &DeriveInput, repr: &Repr, data: &DataEnum) -> Result<Proof> {
    let refuse = |why| Err(Error::new_spanned(&item.ident, why));
    let has_fields = |variant: &&Variant| !variant.fields.is_empty();
    if data.variants.is_empty() {
        return refuse("an enum without variants has no value to send");
    }
    let Some(with_fields) = data.variants.iter().find(has_fields) else {
        return match (repr.c || repr.int.is_some(), repr.align) {
            (true, false) => Ok(Proof::Representation),
            (true, true) => {
                refuse("an enum without fields that is aligned has padding: leave `align` out")
            }
            (false, _) => refuse(
                "the layout of a payload is laid down: add `#[repr(u8)]`, or another integer",
            ),
        };
    };
    let (Some(tag), false) = (&repr.int, repr.c) else {
        return refuse(
            "the layout of a payload is laid down: add `#[repr(u8)]`, or another integer, and nothing else",
        );
    };
    if !item.generics.params.is_empty() {
        return Err(Error::new_spanned(
            with_fields,
            "an enum that has parameters as well as fields may have padding: derive `Wire`, or name the types",
        ));
    }
    let run = |variant: &Variant| Run {
        of: format!(
            "{}::{}",
            field::plain(&item.ident),
            field::plain(&variant.ident)
        ),
        tag: Some((tag.clone(), variant.ident.span())),
        fields: field::all(&variant.fields),
    };
    Ok(Proof::Adjoining(data.variants.iter().map(run).collect()))
}

/// The elements of all fields.
fn elements(data: &Data) -> Vec<Type> {
    let fields: Vec<&Fields> = match data {
        Data::Struct(data) => vec![&data.fields],
        Data::Enum(data) => data
            .variants
            .iter()
            .map(|variant| &variant.fields)
            .collect(),
        Data::Union(_) => Vec::new(),
    };
    let types = fields.into_iter().flatten().map(|field| element(&field.ty));
    types.cloned().collect()
}

/// What an array, or an array of arrays, is made of.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Array(array) => element(&array.elem),
        Type::Group(group) => element(&group.elem),
        Type::Paren(paren) => element(&paren.elem),
        other => other,
    }
}
