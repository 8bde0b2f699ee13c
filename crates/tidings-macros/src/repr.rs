//! The `#[repr]` attributes of an item.

use proc_macro2::Ident;
use syn::{Attribute, LitInt, Result, meta::ParseNestedMeta, parenthesized};

/// What an item says about its layout.
#[derive(Default)]
pub struct Repr {
    pub c: bool,
    pub transparent: bool,
    /// `packed`, with an alignment of 1.
    pub packed: bool,
    pub align: bool,
    /// `u8` and the like.
    pub int: Option<Ident>,
}

impl Repr {
    pub fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut repr = Self::default();
        for attribute in attributes {
            if attribute.path().is_ident("repr") {
                attribute.parse_nested_meta(|meta| repr.add(&meta))?;
            }
        }
        Ok(repr)
    }

    /// Takes one word of an attribute; the compiler itself refuses what is no representation.
    fn add(&mut self, meta: &ParseNestedMeta) -> Result<()> {
        let Some(word) = meta.path.get_ident() else {
            return Ok(());
        };
        let argument = if meta.input.peek(syn::token::Paren) {
            let content;
            parenthesized!(content in meta.input);
            Some(content.parse::<LitInt>()?.base10_parse::<u32>()?)
        } else {
            None
        };
        match word.to_string().as_str() {
            "C" => self.c = true,
            "transparent" => self.transparent = true,
            "packed" => self.packed = argument.unwrap_or(1) == 1,
            "align" => self.align = true,
            "Rust" => {}
            _ => self.int = Some(word.clone()),
        }
        Ok(())
    }
}
