//! The code of the two traits.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{
    Data, DataEnum, DeriveInput, Error, Fields, Ident, Path, Result, Type, TypeParamBound,
    WherePredicate, parse_quote,
};

use crate::attributes::{Attributes, On};
use crate::parts::{Kind, Parts, unraw};

/// The most arms of a union, as in serow's limits.
const MAX_ARMS: usize = 256;

/// What the traits say of a type.
struct Said {
    columns: TokenStream,
    is_nullable: TokenStream,
    is_hashable: TokenStream,
    ty: TokenStream,
    versions: TokenStream,
    write: TokenStream,
    read: TokenStream,
    /// The statements that read a value in the place of `self`, if they are others.
    read_over: Option<TokenStream>,
    /// The types of all fields in the rows.
    types: Vec<TokenStream>,
    /// The types of fields that need a default.
    defaulted: Vec<Type>,
}

/// Where `tokens` name the type `own`. A path such as `old::Own` is another type's.
fn mention(tokens: TokenStream, own: &Ident) -> Option<Span> {
    let mut is_in_path = false;
    tokens.into_iter().find_map(|token| {
        let was_in_path = std::mem::replace(
            &mut is_in_path,
            matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':'),
        );
        match token {
            TokenTree::Group(group) => mention(group.stream(), own),
            TokenTree::Ident(ident) if !was_in_path && (ident == "Self" || ident == *own) => {
                Some(ident.span())
            }
            _ => None,
        }
    })
}

/// Expands the derive.
pub fn row(input: &DeriveInput) -> Result<TokenStream> {
    let attributes = Attributes::of(&input.attrs, On::Type)?;
    let name = attributes.rename.as_ref().map_or_else(|| unraw(&input.ident), syn::LitStr::value);
    let said = match &input.data {
        Data::Struct(data) => of_struct(&name, &attributes, &data.fields)?,
        Data::Enum(data) => of_enum(&name, &attributes, data, &input.ident)?,
        Data::Union(_) => {
            return Err(Error::new_spanned(&input.ident, "a Rust union has no serow type"));
        }
    };
    let krate: Path = attributes.krate.unwrap_or_else(|| parse_quote!(::serow));
    let Said {
        columns,
        is_nullable,
        is_hashable,
        ty,
        versions,
        write,
        read,
        read_over,
        types,
        defaulted,
    } = said;
    if let Some(at) = types.iter().find_map(|ty| mention(ty.clone(), &input.ident)) {
        let text = format!(
            "{} contains itself, so its schema would have no end; leave the field out by #[row(skip)], convert it \
             by #[row(with = …)], or encode the type by serde, whose schema goes as deep as the rows",
            input.ident
        );
        return Err(Error::new(at, text));
    }
    let read_over = read_over.map(|statements| {
        quote! {
            #[inline]
            fn read_over<__S: __serow::RowSource>(
                &mut self,
                from: &mut __serow::Reading<'_, '__m, __S>,
                at: __serow::Place,
            ) -> __serow::Written {
                #statements
                ::std::result::Result::Ok(())
            }
        }
    });
    let ident = &input.ident;
    let (_, of, _) = input.generics.split_for_impl();
    let bounds: [TypeParamBound; 2] =
        [parse_quote!(__serow::Row), parse_quote!(__serow::ReadRow<'__m>)];
    let [written, made] = bounds.map(|bound| {
        let mut generics = input.generics.clone();
        let parameters: Vec<Ident> =
            generics.type_params().map(|parameter| parameter.ident.clone()).collect();
        let wheres = &mut generics.make_where_clause().predicates;
        wheres.extend(parameters.iter().map(|ty| -> WherePredicate { parse_quote!(#ty: #bound) }));
        if !parameters.is_empty() {
            wheres.extend(
                defaulted
                    .iter()
                    .map(|ty| -> WherePredicate { parse_quote!(#ty: ::std::default::Default) }),
            );
        }
        generics
    });
    let mut made = made;
    // A type that borrows can be read if its fields can.
    if input.generics.lifetimes().next().is_some() {
        let wheres = &mut made.make_where_clause().predicates;
        wheres.extend(
            types.iter().map(|ty| -> WherePredicate { parse_quote!(#ty: __serow::ReadRow<'__m>) }),
        );
    }
    made.params.insert(0, parse_quote!('__m));
    let (written_by, _, written_where) = written.split_for_impl();
    let (made_by, _, made_where) = made.split_for_impl();
    Ok(quote! {
        #[doc(hidden)]
        const _: () = {
            use #krate::row as __serow;

            #[automatically_derived]
            #[allow(unused_variables, clippy::all, clippy::pedantic)]
            impl #written_by __serow::Row for #ident #of #written_where {
                const COLUMNS: __serow::Place = #columns;
                const IS_NULLABLE: bool = #is_nullable;
                const IS_HASHABLE: bool = #is_hashable;

                fn ty() -> __serow::RowType {
                    #ty
                }

                fn versions(of: &mut __serow::Versions) {
                    let _ = &of;
                    #versions
                }

                #[inline]
                fn write<__K: __serow::RowSink>(
                    &self,
                    to: &mut __serow::Writing<'_, __K>,
                    at: __serow::Place,
                ) -> __serow::Written {
                    #write
                    ::std::result::Result::Ok(())
                }
            }

            #[automatically_derived]
            #[allow(unused_variables, clippy::all, clippy::pedantic)]
            impl #made_by __serow::ReadRow<'__m> for #ident #of #made_where {
                #[inline(always)]
                fn read<__S: __serow::RowSource>(
                    from: &mut __serow::Reading<'_, '__m, __S>,
                    at: __serow::Place,
                ) -> __serow::Written<Self> {
                    #read
                }

                #read_over
            }
        };
    })
}

fn row_types(parts: &Parts) -> Vec<TokenStream> {
    parts.written().map(crate::parts::Part::row_type).collect()
}

fn of_struct(name: &str, attributes: &Attributes, fields: &Fields) -> Result<Said> {
    let parts = Parts::of(fields)?;
    let start = match parts.kind {
        Kind::Record => quote!(__serow::Place::RECORD),
        _ => quote!(__serow::Place::NONE),
    };
    let pattern = parts.pattern();
    let (write, read) = (parts.write(), parts.read(&quote!(Self)));
    Ok(Said {
        columns: parts.columns(start),
        is_nullable: match parts.kind {
            Kind::Null => quote!(true),
            Kind::Inner => {
                let types = row_types(&parts);
                quote!(#(<#types as __serow::Row>::IS_NULLABLE)*)
            }
            Kind::Tuple | Kind::Record => quote!(false),
        },
        is_hashable: parts.are_hashable(),
        ty: parts.ty(name),
        versions: parts.versions(&attributes.was_names()),
        write: quote!(let Self #pattern = self; #write),
        read: quote!(#read ::std::result::Result::Ok(made)),
        read_over: Some(parts.read_over()),
        types: row_types(&parts),
        defaulted: parts.defaulted().cloned().collect(),
    })
}

/// A variant of an enum.
struct Variant<'a> {
    ident: &'a Ident,
    name: String,
    was: Vec<String>,
    parts: Parts,
}

impl Variant<'_> {
    fn has_contents(&self) -> bool {
        self.parts.kind != Kind::Null
    }

    /// Whether the contents are the only field of the record.
    fn is_wrapped(&self) -> bool {
        self.parts.kind != Kind::Record
    }

    fn record_name(&self, of: &str) -> String {
        format!("{of}::{}", self.name)
    }

    /// The former names of the record.
    fn record_was(&self, of: &str, of_was: &[String]) -> Vec<String> {
        let names = || std::iter::once(&self.name).chain(&self.was);
        let all = std::iter::once(of)
            .chain(of_was.iter().map(String::as_str))
            .flat_map(|of| names().map(move |name| format!("{of}::{name}")));
        all.skip(1).collect()
    }

    fn columns(&self) -> TokenStream {
        self.parts.columns(quote!(__serow::Place::RECORD))
    }

    fn ty(&self, of: &str) -> TokenStream {
        let name = self.record_name(of);
        let contents = self.parts.ty(&name);
        match self.is_wrapped() {
            true => quote!(__serow::record(#name, [(__serow::CONTENTS, #contents)])),
            false => contents,
        }
    }

    fn versions(&self, of: &str, of_was: &[String]) -> TokenStream {
        let was = self.record_was(of, of_was);
        let contents = self.parts.versions(&was);
        match self.is_wrapped() {
            true => quote!(of.record(&[#(#was),*], &[]); #contents),
            false => quote!({ #contents }),
        }
    }

    /// What tells the type of contents that are one value.
    fn type_of_contents(&self) -> TokenStream {
        match (self.parts.kind, self.parts.written().next()) {
            (Kind::Inner, Some(only)) => {
                let ty = only.row_type();
                quote!(::std::option::Option::Some(<#ty as __serow::Row>::ty))
            }
            _ => quote!(::std::option::Option::None),
        }
    }

    fn write(&self) -> TokenStream {
        let (contents, ty) = (self.parts.write(), self.type_of_contents());
        match self.is_wrapped() {
            true => quote! {
                to.enter_record(at, 1)?;
                let at = at.and(__serow::Place::RECORD);
                let contents = |to: &mut __serow::Writing<'_, __K>| -> __serow::Written {
                    #contents
                    ::std::result::Result::Ok(())
                };
                contents(to).map_err(|fault| to.failed_in_contents(fault, #ty))?;
                to.leave()?;
            },
            false => contents,
        }
    }

    /// The code that reads it, which is a result.
    fn read(&self) -> TokenStream {
        let ident = self.ident;
        let contents = self.parts.read(&quote!(Self::#ident));
        let ty = self.type_of_contents();
        match self.is_wrapped() {
            true => quote! {
                from.enter_record(at, 1)?;
                let at = at.and(__serow::Place::RECORD);
                let contents = |from: &mut __serow::Reading<'_, '__m, __S>| -> __serow::Written<Self> {
                    #contents
                    ::std::result::Result::Ok(made)
                };
                match contents(from) {
                    ::std::result::Result::Ok(made) => {
                        from.leave();
                        ::std::result::Result::Ok(made)
                    }
                    ::std::result::Result::Err(fault) => {
                        ::std::result::Result::Err(from.failed_in_contents(fault, #ty))
                    }
                }
            },
            false => quote!(#contents ::std::result::Result::Ok(made)),
        }
    }
}

fn variants<'a>(data: &'a DataEnum, of: &Ident) -> Result<Vec<Variant<'a>>> {
    let mut variants = Vec::new();
    for variant in &data.variants {
        let attributes = Attributes::of(&variant.attrs, On::Variant)?;
        let own = || unraw(&variant.ident);
        let made = Variant {
            ident: &variant.ident,
            name: attributes.rename.as_ref().map_or_else(own, syn::LitStr::value),
            was: attributes.was_names(),
            parts: Parts::of(&variant.fields)?,
        };
        let mut fields = made.parts.written();
        if made.parts.kind == Kind::Record
            && let (Some(only), None) = (fields.next(), fields.next())
            && only.name == "0"
        {
            let text = "the only field of a variant can't be \"0\": that is the name of contents without names";
            return Err(Error::new_spanned(variant, text));
        }
        drop(fields);
        variants.push(made);
    }
    variants.sort_by(|a, b| a.name.cmp(&b.name));
    if let Some(twice) = variants.windows(2).find(|two| two[0].name == two[1].name) {
        let text = format!("two variants have the name \"{}\" in the rows", twice[1].name);
        return Err(Error::new_spanned(twice[1].ident, text));
    }
    if variants.is_empty() {
        return Err(Error::new_spanned(of, "an enum without variants has no values"));
    }
    Ok(variants)
}

fn of_enum(name: &str, attributes: &Attributes, data: &DataEnum, of: &Ident) -> Result<Said> {
    let all = variants(data, of)?;
    let was = attributes.was_names();
    let (records, units): (Vec<_>, Vec<_>) = all.iter().partition(|variant| variant.has_contents());
    let arms = records.len() + usize::from(!units.is_empty());
    if arms > MAX_ARMS {
        let text = format!("an enum has at most {MAX_ARMS} variants with contents");
        return Err(Error::new_spanned(of, text));
    }
    let is_union = arms > 1;
    let start = match is_union {
        true => quote!(__serow::Place::INT),
        false => quote!(__serow::Place::NONE),
    };
    let record_columns: Vec<_> = records.iter().map(|variant| variant.columns()).collect();
    let member_columns = (!units.is_empty()).then(|| quote!(.and(__serow::Place::MEMBER)));

    // The place of each arm.
    let places: Vec<_> = (0..arms).map(|arm| format_ident!("arm_{arm}")).collect();
    let mut before = quote!(at.and(#start));
    let mut lets = TokenStream::new();
    for (arm, place) in places.iter().enumerate() {
        lets.extend(quote!(let #place = #before;));
        if let Some(columns) = record_columns.get(arm) {
            before = quote!(#place.and(#columns));
        }
    }

    let records_ty = records.iter().map(|variant| variant.ty(name));
    let unit_names: Vec<_> = units.iter().map(|variant| &variant.name).collect();
    let record_versions = records.iter().map(|variant| variant.versions(name, &was));
    let unit_was = units.iter().map(|variant| {
        let was = &variant.was;
        quote!(&[#(#was),*])
    });
    let unit_versions =
        (!units.is_empty()).then(|| quote!(of.members(&[#(#was),*], &[#(#unit_was),*]);));

    let say_arm = |arm: usize| is_union.then(|| quote!(to.arm(at, #arm)?;));
    let write_records = records.iter().zip(&places).enumerate().map(|(arm, (variant, place))| {
        let (ident, pattern, say) = (variant.ident, variant.parts.pattern(), say_arm(arm));
        let write = variant.write();
        quote!(Self::#ident #pattern => { #say let at = #place; #write })
    });
    let last = places.last();
    let write_units = units.iter().enumerate().map(|(index, variant)| {
        let (ident, index, say) = (variant.ident, index as u32, say_arm(arms - 1));
        quote!(Self::#ident { .. } => { #say to.member(#last, #index)?; })
    });

    let count = units.len() as u32;
    let read_units = units.iter().enumerate().map(|(index, variant)| {
        let (ident, index) = (variant.ident, index as i64);
        quote!(#index => ::std::result::Result::Ok(Self::#ident {}),)
    });
    let read_unit = quote! {
        match from.member(#last, #count)? {
            #(#read_units)*
            _ => ::std::result::Result::Err(from.no_variant()),
        }
    };
    let mut reads: Vec<_> = records
        .iter()
        .zip(&places)
        .map(|(variant, place)| {
            let read = variant.read();
            quote!({ let at = #place; #read })
        })
        .collect();
    if !units.is_empty() {
        reads.push(read_unit);
    }
    let read = match &reads[..] {
        [only] => quote!(#only),
        reads => {
            let arms = 0..reads.len();
            let count = reads.len();
            quote! {
                match from.arm(at, #count)? {
                    #(#arms => #reads,)*
                    _ => ::std::result::Result::Err(from.no_variant()),
                }
            }
        }
    };
    let hashable = records.iter().map(|variant| variant.parts.are_hashable());
    Ok(Said {
        columns: quote!(#start #(.and(#record_columns))* #member_columns),
        is_nullable: quote!(false),
        is_hashable: quote!(true #(&& #hashable)*),
        ty: quote!(__serow::variants(#name, ::std::vec![#(#records_ty),*], &[#(#unit_names),*])),
        versions: quote!(#(#record_versions)* #unit_versions),
        write: quote!(#lets match self { #(#write_records)* #(#write_units)* }),
        read: quote!(#lets #read),
        read_over: None,
        types: all.iter().flat_map(|variant| row_types(&variant.parts)).collect(),
        defaulted: all.iter().flat_map(|variant| variant.parts.defaulted().cloned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(input: DeriveInput) -> String {
        row(&input).unwrap_err().to_string()
    }

    #[test]
    fn a_type_that_contains_itself_is_refused() {
        for input in [
            parse_quote!(
                struct Node {
                    next: Option<Box<Node>>,
                }
            ),
            parse_quote!(
                struct Node(Vec<Self>);
            ),
            parse_quote!(
                enum Node {
                    Leaf(u8),
                    Inner { of: [Box<Node>; 2] },
                }
            ),
        ] {
            assert!(error(input).starts_with("Node contains itself, so its schema"));
        }
        let others: [DeriveInput; 4] = [
            parse_quote!(
                struct Node {
                    next: Vec<old::Node>,
                }
            ),
            parse_quote!(
                struct Node {
                    next: Option<Box<Nodes>>,
                }
            ),
            parse_quote!(
                struct Node {
                    #[row(skip)]
                    next: Option<Box<Node>>,
                    key: u8,
                }
            ),
            parse_quote!(
                struct Node {
                    #[row(with = flat)]
                    next: Option<Box<Node>>,
                }
            ),
        ];
        others.iter().for_each(|input| assert!(row(input).is_ok()));
    }
}
