//! The parts of a type: fields, in structs and in variants.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, Fields, Index, Member, Path, Result, Type};

use crate::attributes::{Attributes, FieldDefault, On};

/// The fields of a struct or a variant, with what the schema makes of them.
pub struct Parts {
    pub kind: Kind,
    pub fields: Vec<Part>,
}

/// What the fields are in the schema.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Null,
    /// One field without a name.
    Inner,
    Tuple,
    Record,
}

/// A field.
pub struct Part {
    /// How Rust's code names it.
    pub member: Member,
    /// A variable for it.
    pub variable: Ident,
    /// Its name in a record.
    pub name: String,
    pub ty: Type,
    pub attributes: Attributes,
}

impl Parts {
    /// Reads the fields. Those with `skip` do not count for the kind.
    pub fn of(fields: &Fields) -> Result<Parts> {
        let on = if matches!(fields, Fields::Named(_)) { On::Field } else { On::Item };
        let mut parts = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let attributes = Attributes::of(&field.attrs, on)?;
            let member = match &field.ident {
                Some(name) => Member::Named(name.clone()),
                None => Member::Unnamed(Index { index: index as u32, span: Span::call_site() }),
            };
            let own = field.ident.as_ref().map(unraw).unwrap_or_default();
            let name = attributes.rename.as_ref().map_or(own, syn::LitStr::value);
            let variable = format_ident!("field_{index}");
            parts.push(Part { member, variable, name, ty: field.ty.clone(), attributes });
        }
        let made = Parts {
            kind: match fields {
                Fields::Named(_) => Kind::Record,
                Fields::Unit => Kind::Null,
                Fields::Unnamed(_) => {
                    match parts.iter().filter(|part| !part.attributes.skip).count() {
                        1 => Kind::Inner,
                        _ => Kind::Tuple,
                    }
                }
            },
            fields: parts,
        };
        made.check_names(fields)?;
        Ok(made)
    }

    fn check_names(&self, fields: &Fields) -> Result<()> {
        if self.kind != Kind::Record {
            return Ok(());
        }
        let mut names: Vec<&str> = Vec::new();
        for part in self.written() {
            if names.contains(&part.name.as_str()) {
                let text = format!("two fields have the name \"{}\" in the rows", part.name);
                return Err(Error::new_spanned(fields, text));
            }
            names.push(&part.name);
        }
        Ok(())
    }

    /// The fields that are in the rows.
    pub fn written(&self) -> impl Iterator<Item = &Part> {
        self.fields.iter().filter(|part| !part.attributes.skip)
    }

    /// The types of fields that need a default.
    pub fn defaulted(&self) -> impl Iterator<Item = &Type> {
        let needs = |part: &&Part| {
            part.attributes.skip || matches!(part.attributes.default, Some(FieldDefault::OfType))
        };
        self.fields.iter().filter(needs).map(|part| &part.ty)
    }

    /// A pattern that binds the variables of the fields in the rows.
    pub fn pattern(&self) -> TokenStream {
        let fields = self.written().map(|part| {
            let (member, variable) = (&part.member, &part.variable);
            quote!(#member: #variable)
        });
        quote!({ #(#fields,)* .. })
    }

    /// The sum of the columns of all fields.
    pub fn columns(&self, start: TokenStream) -> TokenStream {
        let types = self.written().map(Part::row_type);
        quote!(#start #(.and(<#types as __serow::Row>::COLUMNS))*)
    }

    /// Whether all fields may be in a key of a map.
    pub fn are_hashable(&self) -> TokenStream {
        let types = self.written().map(Part::row_type);
        quote!(true #(&& <#types as __serow::Row>::IS_HASHABLE)*)
    }

    /// The type of a struct, or of the contents of a variant, whose record has this name.
    pub fn ty(&self, name: &str) -> TokenStream {
        let types = self.written().map(Part::row_type);
        match self.kind {
            Kind::Null => quote!(<() as __serow::Row>::ty()),
            Kind::Inner => quote!(#(<#types as __serow::Row>::ty())*),
            Kind::Tuple => quote!(__serow::tuple(::std::vec![#(<#types as __serow::Row>::ty()),*])),
            Kind::Record => {
                let names = self.written().map(|part| &part.name);
                quote!(__serow::record(#name, [#((#names, <#types as __serow::Row>::ty())),*]))
            }
        }
    }

    /// Tells the versions of the fields. A record has these former names.
    pub fn versions(&self, was: &[String]) -> TokenStream {
        let types: Vec<_> = self.written().map(Part::row_type).collect();
        let fields = quote!(#(<#types as __serow::Row>::versions(of);)*);
        if self.kind != Kind::Record {
            return fields;
        }
        let former = self.written().map(|part| part.attributes.was_names());
        let former = former.map(|was| quote!(&[#(#was),*]));
        let defaults = self.written().enumerate().filter_map(|(index, part)| {
            let (index, ty) = (index as u32, &part.ty);
            let value = match part.attributes.default.as_ref()? {
                FieldDefault::OfType => quote!(<#ty as ::std::default::Default>::default()),
                FieldDefault::Value(value) => quote!(#value),
            };
            let written = match &part.attributes.with {
                None => quote!(default),
                Some(with) => quote!(#with::to_row(&default)),
            };
            let row = part.row_type();
            Some(quote! {
                let default: #ty = #value;
                of.field_default::<#row>(record, #index, &#written);
            })
        });
        quote! {
            let record = of.record(&[#(#was),*], &[#(#former),*]);
            let _ = record;
            #(#defaults)*
            #fields
        }
    }

    /// Writes the variables of the fields at `at`.
    pub fn write(&self) -> TokenStream {
        let count = self.written().count() as u32;
        let each = self.written().enumerate().map(|(index, part)| {
            let (variable, ty, name) = (&part.variable, part.row_type(), &part.name);
            let value = match &part.attributes.with {
                None => quote!(#variable),
                Some(with) => quote!(&#with::to_row(#variable)),
            };
            let write = match self.kind {
                Kind::Record => quote!(to.field::<#ty>(#name, #value, at)?),
                Kind::Tuple => quote!(to.item::<#ty>(#index, #value, at)?),
                _ => quote!(<#ty as __serow::Row>::write(#value, to, at)?),
            };
            quote! {
                #write;
                let at = at.and(<#ty as __serow::Row>::COLUMNS);
            }
        });
        let each = quote!(#(#each)* let _ = at;);
        match self.kind {
            Kind::Null => quote!(to.null()?;),
            Kind::Inner => each,
            Kind::Tuple => quote!(to.enter_tuple(#count)?; #each to.leave()?;),
            Kind::Record => quote! {
                to.enter_record(at, #count)?;
                let at = at.and(__serow::Place::RECORD);
                #each
                to.leave()?;
            },
        }
    }

    /// Reads the variables of the fields at `at`, and makes the value by its `constructor`.
    pub fn read(&self, constructor: &TokenStream) -> TokenStream {
        let each = self.each_read(|part, (read, _)| {
            let (variable, ty) = (&part.variable, &part.ty);
            quote!(let #variable: #ty = #read;)
        });
        let fields = self.fields.iter().map(|part| {
            let (member, variable) = (&part.member, &part.variable);
            quote!(#member: #variable)
        });
        let each = self.between(&each);
        quote!(#each let made = #constructor { #(#fields),* };)
    }

    /// Reads the fields at `at` in the place of those of `self`.
    pub fn read_over(&self) -> TokenStream {
        let each = self.each_read(|part, (read, over)| {
            let member = &part.member;
            match over {
                Some(over) => quote!(#over),
                None => quote!(self.#member = #read;),
            }
        });
        self.between(&each)
    }

    /// Reads the fields, each by the statement that `of` makes of an expression that reads it and, if there is
    /// one, of a statement that reads it in the place of that of `self`.
    fn each_read(
        &self,
        of: impl Fn(&Part, (TokenStream, Option<TokenStream>)) -> TokenStream,
    ) -> TokenStream {
        let mut index = 0_usize;
        let each = self.fields.iter().map(|part| {
            let (member, ty) = (&part.member, part.row_type());
            if part.attributes.skip {
                let ty = &part.ty;
                let made = quote!(<#ty as ::std::default::Default>::default());
                return of(part, (made, None));
            }
            let name = &part.name;
            let (read, over, refused) = match self.kind {
                Kind::Record => (
                    quote!(from.field(#name, at)?),
                    quote!(from.field_over(#name, at, &mut self.#member)?;),
                    quote!(refused_field::<#ty>(#name, why)),
                ),
                Kind::Tuple => {
                    let item = index;
                    index += 1;
                    (
                        quote!(from.item(#item, at)?),
                        quote!(from.item_over(#item, at, &mut self.#member)?;),
                        quote!(refused_item::<#ty>(#item, why)),
                    )
                }
                _ => (
                    quote!(<#ty as __serow::ReadRow<'__m>>::read(from, at)?),
                    quote!(<#ty as __serow::ReadRow<'__m>>::read_over(&mut self.#member, from, at)?;),
                    quote!(refused::<#ty>(why)),
                ),
            };
            let made = match &part.attributes.with {
                None => of(part, (read, Some(over))),
                Some(with) => {
                    let made = quote!({
                        let read: #ty = #read;
                        #with::from_row(read).map_err(|why| from.#refused)?
                    });
                    of(part, (made, None))
                }
            };
            quote!(#made let at = at.and(<#ty as __serow::Row>::COLUMNS);)
        });
        quote!(#(#each)* let _ = at;)
    }

    /// Reads the fields by `each`, and what is around them.
    fn between(&self, each: &TokenStream) -> TokenStream {
        let count = self.written().count() as u32;
        match self.kind {
            Kind::Null => quote!(from.null()?;),
            Kind::Inner => quote!(#each),
            Kind::Tuple => quote!(from.enter_tuple(#count)?; #each from.leave();),
            Kind::Record => quote! {
                from.enter_record(at, #count)?;
                let at = at.and(__serow::Place::RECORD);
                #each
                from.leave();
            },
        }
    }
}

impl Part {
    /// The type that is in the rows.
    pub fn row_type(&self) -> TokenStream {
        match &self.attributes.with {
            None => {
                let ty = &self.ty;
                quote!(#ty)
            }
            Some(with) => as_type(with),
        }
    }
}

fn as_type(with: &Path) -> TokenStream {
    quote!(#with::As)
}

/// Returns the name without `r#`.
pub fn unraw(name: &Ident) -> String {
    let text = name.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}
