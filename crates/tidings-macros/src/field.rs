//! A field, as both derives see it.

use proc_macro2::Span;
use quote::quote_spanned;
use syn::{
    Attribute, Fields, Generics, Ident, Member, Type, Visibility, WherePredicate, ext::IdentExt,
    parse_quote, spanned::Spanned,
};

/// A field of a struct or of a variant.
pub struct Field {
    pub member: Member,
    /// What messages call it.
    pub name: String,
    /// Where messages about it point.
    pub span: Span,
    pub ty: Type,
    pub visibility: Visibility,
    pub docs: Vec<Attribute>,
}

/// The fields in the order of their declaration.
pub fn all(fields: &Fields) -> Vec<Field> {
    let members = fields.members();
    let field = |(field, member): (&syn::Field, Member)| Field {
        name: name(&member),
        span: field
            .ident
            .as_ref()
            .map_or_else(|| field.ty.span(), Ident::span),
        member,
        ty: field.ty.clone(),
        visibility: field.vis.clone(),
        docs: docs(&field.attrs),
    };
    fields.iter().zip(members).map(field).collect()
}

/// The attributes that are documentation.
pub fn docs(attributes: &[Attribute]) -> Vec<Attribute> {
    let is_doc = |attribute: &&Attribute| attribute.path().is_ident("doc");
    attributes.iter().filter(is_doc).cloned().collect()
}

/// Demands that every type parameter is `'static`, as what both traits are for is.
pub fn outlive_all(generics: &mut Generics) {
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!('static));
    }
}

/// The bound that `ty` has a trait of the ring; where it has not, the error is at `ty`.
pub fn bound(ty: &Type, name: &str) -> WherePredicate {
    let span = Span::call_site().located_at(ty.span());
    let name = Ident::new(name, span);
    let bound = quote_spanned!(span=> ::tidings::ring::#name);
    parse_quote!(#ty: #bound)
}

/// A name as messages have it, without `r#`.
pub fn plain(name: &Ident) -> String {
    name.unraw().to_string()
}

fn name(member: &Member) -> String {
    match member {
        Member::Named(ident) => plain(ident),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
