//! `derive(Wire)`: a packed struct of the fields' twins, the way there and the way back.

mod expand;
mod model;
mod parts;
mod structure;
mod variants;

use proc_macro2::TokenStream;
use syn::{DeriveInput, Result};

pub fn derive(item: &DeriveInput) -> Result<TokenStream> {
    model::Model::parse(item).map(|model| expand::expand(&model))
}
