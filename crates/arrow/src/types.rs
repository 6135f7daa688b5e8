//! The table of types both ways.
//!
//! Arrow's types hold the values of serow's, but not always their kind: a tuple becomes a struct, a set
//! a list. Then the column's metadata have the text of serow's type, at [`TYPE`]. If rows are not dicts of
//! the columns, the schema's metadata have the text of the row type. [`row_type`] reads these texts. Other
//! programs ignore them and see plain types.

use std::sync::Arc;

use arrow_schema::{
    DataType, Field, Fields, Schema as ArrowSchema, TimeUnit, UnionFields, UnionMode,
};
use serow_core::schema::{Brief, Container, Logical, Names, Schema, Struct, Type};
use serow_core::{Error, Result};

use crate::fit::{Elements, Fit, Fits, Shared};
use crate::tensors::{self, BIG_ENDIAN, COMPONENTS, FIXED, ORDER, Tensors};
use crate::zones::Offsets;

/// The metadata with the text of serow's type.
pub const TYPE: &str = "serow.type";
/// The metadata of times of a zone with the key that is no plain offset.
pub const ZONE: &str = "serow.zone";

/// The metadata with the name of an extension type.
pub const EXTENSION: &str = "ARROW:extension:name";
/// The metadata with what the name does not say.
pub const EXTENSION_DETAILS: &str = "ARROW:extension:metadata";
const UUID: &str = "arrow.uuid";
const BOOL8: &str = "arrow.bool8";
const JSON: &str = "arrow.json";

/// The name of the only column of rows without fields of their own.
const VALUE: &str = "value";
/// The most bytes of tensors for slots of a batch that have none.
const MOST_VACANT: usize = 4 << 20;
/// The most arms of Arrow's unions.
const MAX_ARMS: usize = 128;

/// A column of rows: its name, and what it holds.
pub struct ColumnOf<'t> {
    /// The name.
    pub name: String,
    /// What it holds.
    pub holds: Holds<'t>,
}

/// What a column, or a child of a struct, holds.
#[derive(Clone, Copy, Debug)]
pub enum Holds<'t> {
    /// Values of this type.
    Values(&'t Type),
    /// Values of the type of a field that may be missing. A missing one is null.
    Maybe(&'t Type),
    /// Whether the field before it is there. It exists where a null may also be a value.
    Presence,
}

impl Holds<'_> {
    /// The type of its values; what is missing is null.
    fn ty(self) -> Type {
        match self {
            Holds::Values(ty) => ty.clone(),
            Holds::Maybe(ty) => Type::optional(ty.clone()),
            Holds::Presence => Type::Bool,
        }
    }

    /// Whether it is a field of the type, and not what another column says of one.
    pub fn needs_part(self) -> bool {
        !matches!(self, Holds::Presence)
    }
}

/// The children of a struct with these fields.
pub fn children(ty: &Type) -> Vec<ColumnOf<'_>> {
    let mut columns = Vec::new();
    match ty {
        Type::Fixed(_, types) => columns.extend(
            types
                .iter()
                .enumerate()
                .map(|(i, ty)| ColumnOf { name: format!("column_{i}"), holds: Holds::Values(ty) }),
        ),
        Type::Struct(of) => {
            for (name, field) in of.named() {
                let name = name.to_string();
                match (field.maybe, is_nullable(&field.ty)) {
                    (false, _) => columns.push(ColumnOf { name, holds: Holds::Values(&field.ty) }),
                    (true, false) => {
                        columns.push(ColumnOf { name, holds: Holds::Maybe(&field.ty) })
                    }
                    (true, true) => {
                        let presence = format!("{name}?");
                        columns.push(ColumnOf { name, holds: Holds::Maybe(&field.ty) });
                        columns.push(ColumnOf { name: presence, holds: Holds::Presence });
                    }
                }
            }
        }
        _ => {}
    }
    columns
}

/// Whether rows of this type have a column for each field.
pub fn has_columns(root: &Type) -> bool {
    matches!(root, Type::Fixed(..) | Type::Struct(_))
}

fn columns(root: &Type) -> Vec<ColumnOf<'_>> {
    match has_columns(root) {
        true => children(root),
        false => vec![ColumnOf { name: VALUE.into(), holds: Holds::Values(root) }],
    }
}

/// Whether null is a value of this type.
fn is_nullable(ty: &Type) -> bool {
    matches!(ty, Type::Optional(_) | Type::Null | Type::Never)
}

/// Returns the schema of rows of `root` whose values have these fits.
///
/// # Errors
/// A schema error if Arrow has no such type.
pub fn arrow_schema(root: &Type, fits: &Fits) -> Result<ArrowSchema> {
    let mut fits = fits.iter();
    let mut fields = Vec::new();
    for column in columns(root) {
        let mut field = field(&column, false, &mut fits)?;
        let ty = column.holds.ty();
        if natural(&field).ok().as_ref() != Some(&ty) {
            with_metadata(&mut field, TYPE, &ty.to_string());
        }
        fields.push(field);
    }
    let mut schema = ArrowSchema::new(fields);
    if row_type(&schema).ok().as_ref() != Some(root) {
        schema.metadata.insert(TYPE, root.to_string());
    }
    Ok(schema)
}

fn with_metadata(field: &mut Field, key: &str, text: &str) {
    let mut metadata = field.metadata().clone();
    metadata.insert(key, text);
    field.set_metadata(metadata);
}

/// Returns the field of a column. In a `masked` one there are slots without a value.
fn field(
    column: &ColumnOf<'_>,
    masked: bool,
    fits: &mut impl Iterator<Item = Fit>,
) -> Result<Field> {
    let (ty, nullable) = match column.holds {
        Holds::Presence => return Ok(Field::new(&column.name, DataType::Boolean, false)),
        Holds::Values(ty) => (ty, is_nullable(ty)),
        Holds::Maybe(ty) => (ty, true),
    };
    // The slots of a union without a value have an arm of nulls.
    let nullable = nullable || masked && matches!(ty, Type::Union(_));
    let mut details = Details::new();
    let data_type = data_type(ty.required(), masked || nullable, fits, &mut details)?;
    let mut field = Field::new(&column.name, data_type, nullable);
    for (key, text) in details {
        with_metadata(&mut field, key, &text);
    }
    if *ty.required() == Type::Logical(Logical::Uuid) {
        with_metadata(&mut field, EXTENSION, UUID);
    }
    Ok(field)
}

fn fields(
    columns: Vec<ColumnOf<'_>>,
    masked: bool,
    fits: &mut impl Iterator<Item = Fit>,
) -> Result<Fields> {
    columns.iter().map(|column| field(column, masked, fits)).collect()
}

/// The metadata of a field that its type does not tell.
type Details = Vec<(&'static str, String)>;

fn data_type(
    ty: &Type,
    masked: bool,
    fits: &mut dyn Iterator<Item = Fit>,
    details: &mut Details,
) -> Result<DataType> {
    let mut fits = fits;
    let values = |name: &str, ty| ColumnOf { name: name.to_owned(), holds: Holds::Values(ty) };
    Ok(match ty {
        Type::Never | Type::Null | Type::Optional(_) | Type::Open(_) => DataType::Null,
        Type::Bool => DataType::Boolean,
        Type::I64 => DataType::Int64,
        Type::F64 => DataType::Float64,
        Type::Str => match next(&mut fits).plain {
            true => DataType::Utf8,
            false => DataType::Binary,
        },
        Type::Logical(logical) => logical_type(*logical, &next(&mut fits), details),
        Type::Fixed(..) | Type::Struct(_) => {
            DataType::Struct(fields(children(ty), masked, &mut fits)?)
        }
        Type::Sequence(_, element) => {
            DataType::List(field(&values("item", element), false, &mut fits)?.into())
        }
        Type::Map(key, value) => {
            let entry = fields(vec![values("key", key), values("value", value)], false, &mut fits)?;
            let name = if is_nullable(key) { "item" } else { "entries" };
            let entries = Arc::new(Field::new(name, DataType::Struct(entry), false));
            match is_nullable(key) {
                // The keys of Arrow's maps are not null.
                true => DataType::List(entries),
                false => DataType::Map(entries, false),
            }
        }
        Type::Enum(_) => DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into()),
        Type::Union(arms) => {
            if arms.len() + usize::from(masked) > MAX_ARMS {
                return Err(Error::schema(format!(
                    "Arrow's unions have at most {MAX_ARMS} arms, and {} has {}",
                    Brief(ty),
                    arms.len()
                )));
            }
            let mut of = Vec::new();
            for arm in arms {
                of.push(field(&values(&Brief(arm).to_string(), arm), false, &mut fits)?);
            }
            // A slot without a value has this arm.
            if masked {
                of.push(Field::new("null", DataType::Null, true));
            }
            let ids = (0..of.len()).map(|id| id as i8);
            DataType::Union(UnionFields::try_new(ids, of).map_err(refused)?, UnionMode::Dense)
        }
    })
}

fn next(fits: &mut dyn Iterator<Item = Fit>) -> Fit {
    fits.next().unwrap_or_default()
}

/// The type of numbers of a size, if `ty` is one of these.
pub fn sized_number(ty: Logical) -> Option<DataType> {
    Some(match ty {
        Logical::F32 => DataType::Float32,
        Logical::I8 => DataType::Int8,
        Logical::I16 => DataType::Int16,
        Logical::I32 => DataType::Int32,
        Logical::U8 => DataType::UInt8,
        Logical::U16 => DataType::UInt16,
        Logical::U32 => DataType::UInt32,
        Logical::U64 => DataType::UInt64,
        _ => return None,
    })
}

fn logical_type(ty: Logical, fit: &Fit, details: &mut Details) -> DataType {
    let unit = match (fit.plain, fit.nanos) {
        (true, _) => Some(TimeUnit::Microsecond),
        (false, true) => Some(TimeUnit::Nanosecond),
        (false, false) => None,
    };
    if let Some(of) = sized_number(ty) {
        return of;
    }
    match (ty, unit) {
        (Logical::Bytes | Logical::ByteArray, _) => DataType::Binary,
        (Logical::Uuid, _) => DataType::FixedSizeBinary(16),
        (Logical::Int, _) if fit.unsigned == Shared::One(true) => DataType::UInt64,
        (Logical::Int, _) if fit.plain => DataType::Decimal128(38, 0),
        (Logical::Decimal, _) if fit.plain => match fit.scale {
            Shared::Unknown => DataType::Decimal128(38, 0),
            Shared::One(scale) => DataType::Decimal128(38, scale as i8),
            Shared::Differing => DataType::Utf8,
        },
        (Logical::Int | Logical::Decimal, _) => DataType::Utf8,
        (Logical::Date, _) if fit.plain => DataType::Date32,
        (Logical::Date, _) => DataType::Int64,
        (Logical::Time, Some(unit)) => DataType::Time64(unit),
        (Logical::Timestamp, Some(unit)) => DataType::Timestamp(unit, None),
        (Logical::Duration, Some(unit)) => DataType::Duration(unit),
        (Logical::TimestampTz, Some(unit)) => match &fit.zone {
            Shared::Unknown => DataType::Timestamp(unit, Some("UTC".into())),
            Shared::One(of) => {
                // A plain offset has no key.
                if !of.key.is_empty() {
                    details.push((ZONE, of.key.clone()));
                }
                DataType::Timestamp(unit, Some(of.name.as_str().into()))
            }
            Shared::Differing => components(ty),
        },
        (Logical::NdArray, _) => array_type(fit, details).unwrap_or_else(|| components(ty)),
        _ => components(ty),
    }
}

/// The type of tensors of one shape, or of lists of lists, if these hold all arrays.
fn array_type(fit: &Fit, details: &mut Details) -> Option<DataType> {
    let Shared::One(Elements { of, is_big_endian, dimensions: dimensions @ 1.. }) = fit.elements
    else {
        return None;
    };
    let item = |ty, nullable| Arc::new(Field::new("item", ty, nullable));
    let element = tensors::arrow_of(of)?;
    let size = match &fit.shape {
        Shared::One(shape) if dimensions > 1 => {
            shape.iter().try_fold(1i32, |size, &len| size.checked_mul(len.try_into().ok()?))
        }
        _ => None,
    };
    let size = size.filter(|&size| {
        let vacant = fit.vacant.saturating_mul(size as usize).saturating_mul(of.size());
        vacant <= MOST_VACANT
    });
    let ty = match (size, &fit.shape) {
        // Readers expect that the elements of a tensor are nullable.
        (Some(size @ 1..), Shared::One(shape)) => {
            details.push((EXTENSION, FIXED.into()));
            details.push((EXTENSION_DETAILS, format!("{{\"shape\":{shape:?}}}").replace(' ', "")));
            DataType::FixedSizeList(item(element, true), size)
        }
        _ if fit.plain => {
            (0..dimensions).fold(element, |within, _| DataType::List(item(within, false)))
        }
        _ => return None,
    };
    if is_big_endian {
        details.push((ORDER, BIG_ENDIAN.into()));
    }
    Some(ty)
}

/// A struct of the components of a value.
pub fn components(ty: Logical) -> DataType {
    let lengths = || DataType::List(Arc::new(Field::new("item", DataType::Int64, false)));
    let [elements, shape, data] = COMPONENTS;
    let names: &[(&str, DataType)] = match ty {
        Logical::Complex => &[("real", DataType::Float64), ("imaginary", DataType::Float64)],
        Logical::NdArray => {
            &[(elements, DataType::Utf8), (shape, lengths()), (data, DataType::Binary)]
        }
        Logical::Duration => &[("seconds", DataType::Int64), ("nanoseconds", DataType::Int64)],
        Logical::Time | Logical::Timestamp => {
            &[("microseconds", DataType::Int64), ("rest", DataType::Int64)]
        }
        _ => &[
            ("microseconds", DataType::Int64),
            ("rest", DataType::Int64),
            ("offset", DataType::Int64),
            ("zone", DataType::Utf8),
        ],
    };
    let field = |(name, ty): &(&str, DataType)| Field::new(*name, ty.clone(), false);
    DataType::Struct(names.iter().map(field).collect())
}

/// An error of Arrow's library about a type.
fn refused(error: arrow_schema::ArrowError) -> Error {
    Error::schema(error.to_string())
}

/// Returns the type of rows with this schema: a dict of the columns, or what the metadata say.
///
/// # Errors
/// A schema error that names a column whose type serow lacks.
pub fn row_type(schema: &ArrowSchema) -> Result<Type> {
    let mut of = Vec::new();
    for field in schema.fields() {
        of.push((field.name().as_str(), column_type(field)?));
    }
    if let Some(root) = parsed(schema.metadata.get(TYPE)) {
        let columns = columns(&root);
        let is_same = |(column, (name, ty)): (&ColumnOf<'_>, &(&str, Type))| {
            column.name == *name && column.holds.ty() == *ty
        };
        if columns.len() == of.len() && columns.iter().zip(&of).all(is_same) {
            return Ok(root);
        }
    }
    dict(of).map_err(|error| error.within("the columns of the table"))
}

/// Returns the type of a column's values.
pub fn column_type(field: &Field) -> Result<Type> {
    match parsed(field.metadata().get(TYPE)) {
        Some(ty) if is_held(&ty, field) => Ok(ty),
        _ => natural(field).map_err(|error| error.within(format_args!("column {}", field.name()))),
    }
}

fn parsed(text: Option<&String>) -> Option<Type> {
    Schema::parse(text?).ok().map(|schema| schema.root().clone())
}

fn dict<'n>(fields: impl IntoIterator<Item = (&'n str, Type)>) -> Result<Type> {
    let (names, fields): (Vec<Arc<str>>, Vec<_>) = fields
        .into_iter()
        .map(|(name, ty)| (name.into(), serow_core::schema::Field { ty, maybe: false }))
        .unzip();
    let ty = Type::Struct(Arc::new(Struct {
        names: Arc::new(Names { name: None, fields: names }),
        fields,
    }));
    Schema::new(ty).map(|schema| schema.root().clone())
}

/// Returns the type of the values of `field`, whatever its metadata say.
pub fn natural(field: &Field) -> Result<Type> {
    let ty = match extension(field)? {
        Some(ty) => ty,
        None => natural_of(field.data_type())?,
    };
    Ok(if field.is_nullable() { Type::optional(ty) } else { ty })
}

/// The type of the values of an extension type, if `field` has one.
///
/// # Errors
/// A schema error if serow does not know it: what its storage holds may be anything but the values.
fn extension(field: &Field) -> Result<Option<Type>> {
    let Some(name) = field.metadata().get(EXTENSION) else { return Ok(None) };
    let storage = match field.data_type() {
        DataType::Dictionary(_, values) => values,
        ty => ty,
    };
    match (name.as_str(), storage) {
        (UUID, DataType::FixedSizeBinary(16)) => Ok(Some(Type::Logical(Logical::Uuid))),
        (BOOL8, DataType::Int8) => Ok(Some(Type::Bool)),
        (JSON, text) if is_text(text) => Ok(Some(Type::Str)),
        _ if Tensors::of(field)?.is_some() => Ok(Some(Type::Logical(Logical::NdArray))),
        _ => {
            let details = field.metadata().get(EXTENSION_DETAILS).filter(|text| !text.is_empty());
            let details = details.map_or(String::new(), |text| format!(" ({text})"));
            Err(Error::schema(format!(
                "serow does not know the extension type {name}{details}; convert the column to one of \
                 Arrow's own types, or to its storage, {storage}, which extensions=\"storage\" does"
            )))
        }
    }
}

fn natural_of(ty: &DataType) -> Result<Type> {
    let list = |item: &Field| -> Result<Type> {
        Ok(Type::Sequence(Container::List, Box::new(natural(item)?)))
    };
    Ok(match ty {
        DataType::Null => Type::Null,
        DataType::Boolean => Type::Bool,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Type::I64,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 => Type::I64,
        DataType::UInt64 => Type::Logical(Logical::Int),
        DataType::Float16 | DataType::Float32 | DataType::Float64 => Type::F64,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Type::Str,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
            Type::Logical(Logical::Bytes)
        }
        DataType::FixedSizeBinary(_) => Type::Logical(Logical::Bytes),
        DataType::Date32 | DataType::Date64 => Type::Logical(Logical::Date),
        DataType::Time32(_) | DataType::Time64(_) => Type::Logical(Logical::Time),
        DataType::Timestamp(_, None) => Type::Logical(Logical::Timestamp),
        DataType::Timestamp(_, Some(zone)) if Offsets::named(zone).is_some() => {
            Type::Logical(Logical::TimestampTz)
        }
        DataType::Timestamp(_, Some(zone)) => {
            return Err(Error::schema(format!(
                "times of the zone {zone:?} can't be read, because this system has no rules of it; \
                 convert them to UTC"
            )));
        }
        DataType::Duration(_) => Type::Logical(Logical::Duration),
        DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal128(..)
        | DataType::Decimal256(..) => Type::Logical(Logical::Decimal),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => list(item)?,
        DataType::Struct(fields) => {
            let mut of = Vec::new();
            for field in fields {
                let named = |error: Error| error.within(format_args!("field {}", field.name()));
                of.push((field.name().as_str(), natural(field).map_err(named)?));
            }
            dict(of)?
        }
        DataType::Map(entries, _) => {
            let DataType::Struct(of) = entries.data_type() else { return Err(no_type(ty)) };
            let [key, value] = &of[..] else { return Err(no_type(ty)) };
            // Keys are not null, whatever the field says.
            let key = natural(key)?.required().clone();
            Type::Map(key.into(), natural(value)?.into())
        }
        DataType::Dictionary(_, values) => natural_of(values)?,
        DataType::RunEndEncoded(_, values) => natural(values)?,
        DataType::Union(fields, _) => {
            let mut arms: Vec<Type> = Vec::new();
            for (_, field) in fields.iter() {
                let arm = natural(field)?;
                let required = arm.required();
                let is_new = !arms.iter().any(|other| other.required() == required);
                if !is_new || matches!(required, Type::Union(_)) {
                    return Err(Error::schema(format!(
                        "the union has two arms of the type {}, and an arm does not come back; \
                         convert it to a struct with a column for each arm",
                        Brief(required)
                    )));
                }
                arms.push(arm);
            }
            Type::union(arms)?
        }
        DataType::Interval(_) => return Err(no_type(ty)),
    })
}

fn no_type(ty: &DataType) -> Error {
    Error::schema(format!("serow has no type for Arrow's {ty}; convert the column to another type"))
}

/// Whether `field` holds values of `ty` as [`arrow_schema`] says, whatever their fits are, or as
/// programs change them that keep the metadata: with longer offsets, as views and as dictionaries.
fn is_held(ty: &Type, field: &Field) -> bool {
    let data_type = field.data_type();
    let all = |columns: Vec<ColumnOf<'_>>, fields: &Fields| {
        columns.len() == fields.len()
            && columns.iter().zip(fields).all(|(column, field)| {
                column.name == *field.name()
                    && match column.holds {
                        Holds::Values(ty) | Holds::Maybe(ty) => is_held(ty, field),
                        Holds::Presence => *field.data_type() == DataType::Boolean,
                    }
            })
    };
    match (ty.required(), data_type) {
        _ if extension(field).is_err() => false,
        (Type::Enum(_), _) => is_text(data_type),
        (ty, DataType::Dictionary(_, values)) => {
            is_held(ty, &Field::new("", (**values).clone(), true))
        }
        (Type::Null | Type::Never, DataType::Null)
        | (Type::Bool, DataType::Boolean)
        | (Type::I64, DataType::Int64)
        | (Type::F64, DataType::Float64) => true,
        (Type::Str, _) => is_text(data_type) || is_binary(data_type),
        (Type::Logical(Logical::NdArray), _) => {
            Tensors::of(field).is_ok_and(|of| of.is_some())
                || are_nested(data_type)
                || are_array_components(data_type)
        }
        (Type::Logical(logical), _) => is_logical(*logical, data_type),
        (ty @ (Type::Fixed(..) | Type::Struct(_)), DataType::Struct(fields)) => {
            all(children(ty), fields)
        }
        (Type::Sequence(_, element), DataType::List(item) | DataType::LargeList(item)) => {
            is_held(element, item)
        }
        (
            Type::Map(key, value),
            DataType::Map(entries, _) | DataType::List(entries) | DataType::LargeList(entries),
        ) => match entries.data_type() {
            DataType::Struct(of) if of.len() == 2 => is_held(key, &of[0]) && is_held(value, &of[1]),
            _ => false,
        },
        (Type::Union(arms), DataType::Union(fields, UnionMode::Dense)) => {
            let fields: Vec<_> = fields.iter().collect();
            let rest = fields.get(arms.len()..).unwrap_or_default();
            fields.len() >= arms.len()
                && fields.iter().enumerate().all(|(i, (id, _))| *id == i as i8)
                && arms.iter().zip(&fields).all(|(arm, (_, field))| is_held(arm, field))
                && (rest.is_empty() || rest.len() == 1 && *rest[0].1.data_type() == DataType::Null)
        }
        _ => false,
    }
}

fn is_text(ty: &DataType) -> bool {
    match ty {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

fn is_binary(ty: &DataType) -> bool {
    matches!(ty, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
}

/// Whether this is a type of lists of lists of elements.
fn are_nested(ty: &DataType) -> bool {
    match ty {
        DataType::List(item) | DataType::LargeList(item)
            if !item.metadata().contains_key(EXTENSION) =>
        {
            tensors::element_of(item.data_type()).is_some() || are_nested(item.data_type())
        }
        _ => false,
    }
}

fn are_array_components(ty: &DataType) -> bool {
    let DataType::Struct(fields) = ty else { return false };
    let [of, shape, data] = &fields[..] else { return false };
    let are_ints = |item: &Field| *item.data_type() == DataType::Int64;
    [of, shape, data].iter().zip(COMPONENTS).all(|(field, name)| field.name() == name)
        && is_text(of.data_type())
        && matches!(
            shape.data_type(), DataType::List(item) | DataType::LargeList(item) if are_ints(item)
        )
        && is_binary(data.data_type())
}

fn is_logical(ty: Logical, data_type: &DataType) -> bool {
    if let Some(of) = sized_number(ty) {
        return *data_type == of;
    }
    match (ty, data_type) {
        (Logical::ByteArray, _) => is_binary(data_type),
        (Logical::Uuid, _) => *data_type == DataType::FixedSizeBinary(16),
        (Logical::Int, DataType::Decimal128(_, 0)) | (Logical::Date, DataType::Int64) => true,
        (Logical::Int | Logical::Decimal, ty) if is_text(ty) => true,
        (_, DataType::Struct(_)) => has_components(ty) && *data_type == components(ty),
        _ => natural_of(data_type).is_ok_and(|natural| natural == Type::Logical(ty)),
    }
}

/// Whether values that no type of Arrow holds are structs of their [`components`].
fn has_components(ty: Logical) -> bool {
    !matches!(
        ty,
        Logical::Int
            | Logical::Bytes
            | Logical::ByteArray
            | Logical::Date
            | Logical::Decimal
            | Logical::Uuid
    )
}
