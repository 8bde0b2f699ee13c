//! What a twin is made of.

use crate::field::{self, Field};
use crate::repr::Repr;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Error, Expr, Fields, Generics, Ident, Result, Type,
    Visibility, ext::IdentExt,
};

pub struct Model {
    pub name: Ident,
    pub twin: Ident,
    pub visibility: Visibility,
    pub docs: Vec<Attribute>,
    /// With the bound that the fields' types are `Wire`.
    pub generics: Generics,
    pub shape: Shape,
}

pub enum Shape {
    /// The twin has the same fields, each a twin.
    Struct(Fields),
    /// The twin has a number, and room for the fields of any variant if there are any.
    Enum {
        /// The type of the numbers.
        tag: Ident,
        variants: Vec<Variant>,
    },
}

pub struct Variant {
    pub ident: Ident,
    /// What its twin holds in place of its name.
    pub number: TokenStream,
    pub fields: Vec<Field>,
}

impl Model {
    pub fn parse(item: &DeriveInput) -> Result<Self> {
        if let Some(lifetime) = item.generics.lifetimes().next() {
            return Err(Error::new_spanned(
                lifetime,
                "plain data borrows nothing: its value is made anew on the other side",
            ));
        }
        let shape = match &item.data {
            Data::Struct(data) => Shape::Struct(data.fields.clone()),
            Data::Enum(data) => enumeration(item, data)?,
            Data::Union(data) => {
                return Err(Error::new(
                    data.union_token.span,
                    "nobody knows which field of a union is valid: derive `Wire` for an enum",
                ));
            }
        };
        let span = Span::call_site().located_at(item.ident.span());
        Ok(Self {
            twin: format_ident!("{}Wire", item.ident.unraw(), span = span),
            name: item.ident.clone(),
            visibility: item.vis.clone(),
            docs: field::docs(&item.attrs),
            generics: bound(item.generics.clone(), &shape),
            shape,
        })
    }
}

impl Shape {
    /// Whether it is an enum some variant of which has fields.
    pub fn has_body(&self) -> bool {
        match self {
            Self::Struct(_) => false,
            Self::Enum { variants, .. } => variants.iter().any(|v| !v.fields.is_empty()),
        }
    }
}

/// Demands that the fields' types are `Wire`, but those that surely are.
///
/// The compiler takes a bound as given inside the item that has it. So a type that has no plain-data form is one error, at
/// its field, and not one for everything that a derive makes of it.
fn bound(mut generics: Generics, shape: &Shape) -> Generics {
    let types: Vec<&Type> = match shape {
        Shape::Struct(fields) => fields.iter().map(|field| &field.ty).collect(),
        Shape::Enum { variants, .. } => {
            let fields = variants.iter().flat_map(|variant| &variant.fields);
            fields.map(|field| &field.ty).collect()
        }
    };
    field::outlive_all(&mut generics);
    let unsure: Vec<&Type> = types.into_iter().filter(|ty| !is_known(ty)).collect();
    if !unsure.is_empty() {
        let bounds = &mut generics.make_where_clause().predicates;
        bounds.extend(unsure.iter().map(|ty| field::bound(ty, "Wire")));
    }
    generics
}

/// Types with names of the language, and arrays and tuples of them.
fn is_known(ty: &Type) -> bool {
    const SCALARS: &[&str] = &[
        "bool", "char", "f32", "f64", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16",
        "i32", "i64", "i128", "isize",
    ];
    match ty {
        Type::Array(array) => is_known(&array.elem),
        Type::Tuple(tuple) => tuple.elems.len() <= 8 && tuple.elems.iter().all(is_known),
        Type::Path(path) => {
            let name = path.path.get_ident().map(Ident::to_string);
            path.qself.is_none() && name.is_some_and(|name| SCALARS.contains(&name.as_str()))
        }
        _ => false,
    }
}

fn enumeration(item: &DeriveInput, data: &DataEnum) -> Result<Shape> {
    let repr = Repr::parse(&item.attrs)?;
    if data.variants.is_empty() {
        return Err(Error::new_spanned(
            &item.ident,
            "an enum without variants has no value to send",
        ));
    }
    let explicit = data.variants.iter().find_map(|v| v.discriminant.as_ref());
    let tag = match (repr.int, explicit) {
        (Some(int), _) if int == "i128" || int == "u128" => {
            return Err(Error::new_spanned(
                int,
                "the number of a variant has at most 64 bits",
            ));
        }
        (Some(int), _) => int,
        (None, Some((_, number))) => {
            return Err(Error::new_spanned(
                number,
                "numbers of one's own need an integer to hold them: add `#[repr(u8)]`, or a wider one",
            ));
        }
        (None, None) if data.variants.len() <= 256 => format_ident!("u8"),
        (None, None) => format_ident!("u32"),
    };
    let shape = Shape::Enum {
        tag,
        variants: variants(data),
    };
    if shape.has_body() && !item.generics.params.is_empty() {
        return Err(Error::new_spanned(
            &item.generics,
            "the room for the fields of any variant cannot depend on parameters: \
             name the types, or put what depends on them into a struct beside the enum",
        ));
    }
    Ok(shape)
}

/// The variants, numbered as the compiler does it: one more than the variant before, or what is written.
fn variants(data: &DataEnum) -> Vec<Variant> {
    let mut written: Option<&Expr> = None;
    let mut since = 0_usize;
    let mut variants = Vec::new();
    for variant in &data.variants {
        if let Some((_, number)) = &variant.discriminant {
            (written, since) = (Some(number), 0);
        }
        let offset = Literal::usize_unsuffixed(since);
        variants.push(Variant {
            ident: variant.ident.clone(),
            number: written.map_or_else(|| quote!(#offset), |number| quote!((#number) + #offset)),
            fields: field::all(&variant.fields),
        });
        since += 1;
    }
    variants
}
