//! The macro behind `#[derive(serow::Row)]`; its docs are at [`Row`](macro@Row).

mod attributes;
mod expand;
mod parts;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Implements `serow::Row` and `serow::ReadRow` for a struct or an enum.
///
/// A struct is a record with its name and fields, a tuple struct a tuple, a struct of one field without a name
/// the same as this field, a unit struct null. An enum is the union of a record for each variant with contents,
/// named as `Shape::Circle`, and of an enum of the names of the others. A type that contains itself has no
/// schema, so it is refused.
///
/// Attributes, all in `#[row(…)]`:
///
/// | attribute | on | meaning |
/// |---|---|---|
/// | `rename = "name"` | type, variant, field | its name in the schema |
/// | `was = "name"` | type, variant, field | a former name, by which rows of an older schema are read; may be repeated |
/// | `default`, `default = expression` | field of a record | what the field gets if the rows of another schema lack it: `Default::default()` or the value of the expression |
/// | `skip` | field | it is not written, and gets `Default::default()` when it is read |
/// | `with = path` | field | the module `path` converts it: `type As` is a `Row`, `to_row(&Field) -> As`, `from_row(As) -> Result<Field, impl Display>` |
/// | `crate = path` | type | where the crate `serow` is, if not at `::serow` |
#[proc_macro_derive(Row, attributes(row))]
pub fn derive_row(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::row(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}
