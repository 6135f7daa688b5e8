//! Finds out from a class how its instances are encoded.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use serow_core::schema::Names;

use super::super::logical::of_module;
use super::super::{Object, is_exactly, text::name_of};
use super::attributes::{Attribute, ClassAttributes};
use super::beside::{FIELDS_SET, FieldsSet, OtherSlot};
use super::declared::{self, DeclaredNames};
use super::lookup::{self, Declared, Mro};
use super::members::Members;
use super::slots::Slot;
use super::values::ValuePlaces;
use super::{DeclaringDict, Shape, registered};
use crate::layout::records::spark_row;
use crate::made::{Name, name};

/// What pydantic, attrs, msgspec and `typing` store in an object for themselves, which is not part of the
/// value.
pub const OF_LIBRARIES: [&str; 4] =
    [FIELDS_SET, "_attrs_cached_hash", "__msgspec_cached_hash__", "__orig_class__"];

/// The sizes of an object's header and of a pointer, in bytes.
const HEAD: isize = 16;
const POINTER: isize = 8;

/// The text of `object`, if it is a `str` that a name can be.
///
/// # Safety
/// `object` must be alive, and the GIL must be held.
pub unsafe fn text_of(object: Object) -> Option<Arc<str>> {
    // SAFETY: the caller's promise.
    unsafe { is_exactly(object, &raw mut ffi::PyUnicode_Type).then(|| name_of(object).ok())? }
}

/// The shape of the instances of `class`.
pub fn describe(class: &Bound<'_, PyType>) -> Shape {
    let py = class.py();
    let Some(mro) = Mro::of(class.clone()) else { return Shape::Other(None) };
    let described = described(class, &mro);
    // A failed lookup leaves an exception behind.
    PyErr::take(py).inspect(|error| lookup::note(py, error));
    described.unwrap_or_else(|why| Shape::Other(Some(why)))
}

fn described(class: &Bound<'_, PyType>, mro: &Mro<'_>) -> Result<Shape, String> {
    let py = class.py();
    if registered::has(class) {
        return Ok(Shape::Other(None));
    }
    if let Some(members) = Members::of_class(mro, py)? {
        return Ok(Shape::Members(members));
    }
    let Some(name) = mro.name() else { return Ok(Shape::Other(None)) };
    // SAFETY: the class is alive.
    if unsafe { ffi::PyType_IsSubtype(class.as_type_ptr(), &raw mut ffi::PyTuple_Type) } != 0 {
        return tuple(mro, name);
    }
    let Some(fields) = fields(mro, py) else { return Ok(Shape::Other(None)) };
    attributes(class, mro, name, fields).map(Shape::Attributes)
}

/// Named tuples and PySpark's rows.
fn tuple(mro: &Mro<'_>, name: String) -> Result<Shape, String> {
    if spark_row::is_class(&name, mro.module().as_deref()) {
        return Ok(Shape::Rows);
    }
    let Some((_, fields)) = mro.find(name!("_fields")) else {
        return Ok(Shape::Other(None));
    };
    let text = |name: Bound<'_, PyAny>| {
        // SAFETY: the name is alive.
        unsafe { text_of(name.as_ptr()) }
    };
    let Ok(fields) = fields.cast_exact::<PyTuple>() else { return Ok(Shape::Other(None)) };
    if !fields.iter().all(|field| field.is_instance_of::<PyString>()) {
        return Ok(Shape::Other(None));
    }
    // SAFETY: the names are alive.
    let names = fields.iter().map(|field| unsafe { name_of(field.as_ptr()) });
    let fields = names.collect::<Result<Vec<_>, _>>();
    let fields = fields.map_err(|why| format!("the name of a field {why}"))?;
    // The names of decoded records may be names that Python doesn't allow for a class.
    let given = mro.own(name!("_record_name"));
    let given = given.and_then(text);
    let extra = mro.number(name!("__dictoffset__")) != Some(0);
    let names = match given {
        Some(given) => Names { name: Some(given), fields },
        None => {
            let declared = DeclaredNames::of(mro, declared::annotations(mro))?;
            let fields = fields.iter().map(|field| declared.part(field)).collect();
            Names { name: Some(declared.class(name)), fields }
        }
    };
    Ok(Shape::Tuple { names: Arc::new(names), extra })
}

/// The names of the fields of a dataclass, an attrs class, a Struct of msgspec or a pydantic model.
fn fields<'py>(mro: &Mro<'py>, py: Python<'py>) -> Option<Fields<'py>> {
    let names = |dict: &Bound<'py, PyDict>| {
        dict.iter().map(|(name, _)| name.cast_into_exact().ok()).collect::<Option<Vec<_>>>()
    };
    if let Some((_, fields)) = mro.find(name!("__dataclass_fields__")) {
        // The dict also contains class variables and parameters that only `__init__` takes.
        let real = of_module(py, c"dataclasses", c"_FIELD");
        let kind = name!("_field_type");
        let fields = fields.cast_exact::<PyDict>().ok()?;
        let declared = Some(DeclaringDict::new(fields));
        let is_real = |field: &Bound<'py, PyAny>| {
            slot_of(field, kind).is_some_and(|kind| kind.as_ptr() == real)
        };
        let fields: Vec<_> = fields.iter().filter(|(_, field)| is_real(field)).collect();
        let annotations = annotations(fields.iter().map(|(_, field)| field));
        let names = fields.into_iter().map(|(name, _)| name.cast_into_exact().ok());
        let names = names.collect::<Option<_>>()?;
        return Some(Fields { names, annotations, declared, fields_set: None });
    }
    if let Some((_, fields)) = mro.find(name!("__attrs_attrs__")) {
        let name = name!("name");
        // SAFETY: the object is alive; a tuple or an instance of a subclass has items.
        let fields: Vec<Bound<'py, PyAny>> = unsafe {
            if ffi::PyTuple_Check(fields.as_ptr()) == 0 {
                return None;
            }
            let field = |at| ffi::PyTuple_GetItem(fields.as_ptr(), at);
            let fields = (0..ffi::PyTuple_Size(fields.as_ptr())).map(field);
            fields.map(|field| Bound::from_borrowed_ptr(py, field)).collect()
        };
        let names = fields.iter().map(|field| slot_of(field, name)?.cast_into_exact().ok());
        return Some(Fields {
            names: names.collect::<Option<_>>()?,
            annotations: annotations(&fields),
            declared: None,
            fields_set: None,
        });
    }
    if let Some(fields) = slot_of(mro.class(), name!("__struct_fields__")) {
        // Only the metaclass of Structs has such a slot: Python code can't declare one for classes.
        let fields = fields.cast_exact::<PyTuple>().ok()?;
        let names = fields.iter().map(|name| name.cast_into_exact().ok());
        return Some(Fields {
            names: names.collect::<Option<_>>()?,
            annotations: declared::annotations_of_all(mro),
            declared: None,
            fields_set: None,
        });
    }
    let fields = mro.own(name!("__pydantic_fields__")).or_else(|| {
        mro.own(name!("__pydantic_core_schema__"))?;
        mro.own(name!("model_fields"))
    })?;
    let fields = fields.cast_exact::<PyDict>().ok()?;
    Some(Fields {
        names: names(fields)?,
        // pydantic has resolved them.
        annotations: Vec::new(),
        declared: Some(DeclaringDict::new(fields)),
        fields_set: FieldsSet::of(mro, fields),
    })
}

/// The annotations of fields of dataclasses and attrs classes, which may be text.
fn annotations<'a, 'py: 'a>(
    fields: impl IntoIterator<Item = &'a Bound<'py, PyAny>>,
) -> Vec<Bound<'py, PyAny>> {
    let name = name!("type");
    fields.into_iter().filter_map(|field| slot_of(field, name)).collect()
}

/// The fields that a class declares.
struct Fields<'py> {
    names: Vec<Bound<'py, PyString>>,
    annotations: Vec<Bound<'py, PyAny>>,
    /// The dict that declares them, if it is a dict.
    declared: Option<DeclaringDict>,
    /// Which of them a pydantic model was given.
    fields_set: Option<FieldsSet>,
}

/// The content of a slot of `object`, if its class declares a slot with this name.
pub fn slot_of<'py>(object: &Bound<'py, PyAny>, name: &'static Name) -> Option<Bound<'py, PyAny>> {
    let (_, declared) = Mro::of(object.get_type())?.find(name)?;
    let name = lookup::found(object.py(), name.get(object.py()))?;
    let Declared::Slot = Declared::of(&declared, &object.get_type()) else { return None };
    // SAFETY: the name is that of a slot, and reading a slot runs no Python code.
    unsafe {
        let found = ffi::PyObject_GenericGetAttr(object.as_ptr(), name.as_ptr());
        Bound::from_owned_ptr_or_opt(object.py(), found)
    }
}

/// Finds where instances of a class store these fields.
fn attributes<'py>(
    class: &Bound<'py, PyType>,
    mro: &Mro<'py>,
    name: String,
    Fields { names: fields, annotations, declared, fields_set }: Fields<'py>,
) -> Result<ClassAttributes, String> {
    let mut texts = Vec::new();
    let mut found = Vec::new();
    for field in fields {
        // SAFETY: the name is alive.
        let text = unsafe { name_of(field.as_ptr()) };
        let text = text.map_err(|why| format!("the name of a field {why}"))?;
        let declared =
            mro.find(&field).map(|(_, declared)| (Declared::of(&declared, class), declared));
        let (slot, default) = match declared {
            Some((Declared::Slot, slot)) => (Some(Slot::of(&field, &slot)), None),
            Some((Declared::Property, _)) => {
                return Err(format!(
                    "its field {text} is a property, and its code can't run during encoding; use a \
                     dict or a tuple"
                ));
            }
            Some((Declared::Default, default)) => (None, Some(default.unbind())),
            Some((Declared::Method, _)) | None => (None, None),
        };
        texts.push(text);
        found.push(Attribute { name: field.into_any().unbind(), slot, default });
    }
    let has_dict = mro.number(name!("__dictoffset__")).is_some_and(|at| at != 0);
    let slots = found.iter().filter(|field| field.slot.is_some()).count();
    let others = other_slots(mro, slots, &texts)?;
    let own_access = mro.find(name!("__getattribute__"));
    if own_access.is_none_or(|(of, _)| of != (&raw mut ffi::PyBaseObject_Type).cast()) {
        return Err("its class has a __getattribute__ of its own; use a dict or a tuple".into());
    }
    let named = DeclaredNames::of(mro, annotations)?;
    let mut fields: Vec<_> = texts.iter().map(|field| named.part(field)).collect();
    if fields_set.as_ref().is_some_and(|fields_set| fields_set.is_carried) {
        fields.push(FIELDS_SET.into());
    }
    let names = Arc::new(Names { name: Some(named.class(name)), fields });
    let keys: Vec<Object> = found.iter().map(|field| field.name.as_ptr()).collect();
    let values = if slots == 0 { ValuePlaces::of(class, &keys) } else { None };
    Ok(ClassAttributes {
        names,
        attributes: texts,
        fields: found,
        declared,
        has_dict,
        values,
        others,
        fields_set,
        keys: RefCell::new(keys),
        computed: OnceCell::new(),
    })
}

/// The slots of a class that are not in `fields`; `slots` is the number of fields that are slots.
fn other_slots<'py>(
    mro: &Mro<'py>,
    slots: usize,
    fields: &[Arc<str>],
) -> Result<Vec<OtherSlot>, String> {
    let number = |name| mro.number(name).unwrap_or(isize::MAX);
    let is_counted = |at: isize| if at > 0 { POINTER } else { 0 };
    let size = number(name!("__basicsize__"))
        - is_counted(number(name!("__dictoffset__")))
        - is_counted(number(name!("__weakrefoffset__")))
        - HEAD;
    if size == slots as isize * POINTER {
        return Ok(vec![]);
    }
    let all = mro.all().into_iter();
    let all: Vec<_> =
        all.filter(|(_, what)| matches!(Declared::of(what, mro.class()), Declared::Slot)).collect();
    if size != all.len() as isize * POINTER {
        return Err(
            "its class has a base that stores more than fields; use a dict or a tuple".into()
        );
    }
    let mut others = Vec::new();
    for (name, descriptor) in all {
        // SAFETY: the name is alive.
        let text = unsafe { text_of(name.as_ptr()) }.unwrap_or_default();
        if fields.contains(&text) || OF_LIBRARIES.contains(&&*text) {
            continue;
        }
        others.push(OtherSlot::of(mro, Slot::of(&name, &descriptor), text));
    }
    Ok(others)
}
