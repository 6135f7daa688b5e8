//! The attributes `#[row(…)]`.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Error, Expr, LitStr, Path, Result, Token};

/// The attributes of a type, a variant or a field. [`Attributes::of`] refuses those that may not stand there.
#[derive(Default)]
pub struct Attributes {
    pub rename: Option<LitStr>,
    pub was: Vec<LitStr>,
    pub default: Option<FieldDefault>,
    pub skip: bool,
    pub with: Option<Path>,
    pub krate: Option<Path>,
}

/// The default of a field.
pub enum FieldDefault {
    /// `Default::default()` of the field's type.
    OfType,
    Value(Box<Expr>),
}

/// What can have attributes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum On {
    Type,
    Variant,
    /// A field with a name.
    Field,
    /// A field without one.
    Item,
}

impl On {
    /// The attributes that may stand here.
    fn allowed(self) -> &'static [&'static str] {
        match self {
            On::Type => &["rename", "was", "crate"],
            On::Variant => &["rename", "was"],
            On::Field => &["rename", "was", "default", "skip", "with"],
            On::Item => &["skip", "with"],
        }
    }

    fn what(self) -> &'static str {
        match self {
            On::Type => "a type",
            On::Variant => "a variant",
            On::Field => "a field",
            On::Item => "a field without a name",
        }
    }
}

impl Attributes {
    /// Reads the attributes `#[row(…)]` of an item.
    pub fn of(attributes: &[Attribute], on: On) -> Result<Attributes> {
        let mut read = Attributes::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("row")) {
            attribute.parse_nested_meta(|meta| read.add(&meta, on))?;
        }
        if read.skip && (read.rename.is_some() || read.with.is_some() || read.default.is_some()) {
            let at = attributes.iter().find(|attribute| attribute.path().is_ident("row"));
            return Err(Error::new_spanned(
                at,
                "a field with `skip` is not in the rows, so it takes no other attribute",
            ));
        }
        Ok(read)
    }

    fn add(&mut self, meta: &ParseNestedMeta<'_>, on: On) -> Result<()> {
        let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        if !on.allowed().contains(&name.as_str()) {
            let known = on.allowed().join("`, `");
            return Err(meta.error(format!("{} takes `{known}`", on.what())));
        }
        match name.as_str() {
            "rename" => self.rename = Some(meta.value()?.parse()?),
            "was" => self.was.push(meta.value()?.parse()?),
            "skip" => self.skip = true,
            "with" => self.with = Some(meta.value()?.parse()?),
            "crate" => self.krate = Some(meta.value()?.parse()?),
            _ if meta.input.peek(Token![=]) => {
                self.default = Some(FieldDefault::Value(Box::new(meta.value()?.parse()?)));
            }
            _ => self.default = Some(FieldDefault::OfType),
        }
        Ok(())
    }

    /// The former names, as a list of tokens.
    pub fn was_names(&self) -> Vec<String> {
        self.was.iter().map(LitStr::value).collect()
    }
}
