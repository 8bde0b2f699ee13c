//! `derive(Payload)`: `NoUninit`, with a proof that there is no padding.

mod expand;
mod model;

use proc_macro2::TokenStream;
use syn::{DeriveInput, Result};

pub fn derive(item: &DeriveInput) -> Result<TokenStream> {
    model::Model::parse(item).map(|model| expand::expand(&model))
}
