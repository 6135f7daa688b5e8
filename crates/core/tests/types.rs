//! Types that were put together by hand and not by their constructors: a schema or an error.

use std::sync::Arc;

use serow_core::ErrorKind;
use serow_core::limits::MAX_ARMS;
use serow_core::schema::{Container, Enum, Field, Logical, Names, Schema, Struct, Type};

fn sequence(container: Container, element: Type) -> Type {
    Type::Sequence(container, Box::new(element))
}

fn record(name: &str, fields: &[&str], types: &[Type]) -> Type {
    let names = Names {
        name: Some(name.into()),
        fields: fields.iter().map(|&field| field.into()).collect(),
    };
    let fields = types.iter().map(|ty| Field { ty: ty.clone(), maybe: false }).collect();
    Type::Struct(Arc::new(Struct { names: Arc::new(names), fields }))
}

fn enumeration(name: &str) -> Type {
    Type::Enum(Arc::new(Enum::new(name, ["A"])))
}

/// Checks the error of a type at several places in a schema.
#[track_caller]
fn assert_refused(ty: Type, message: &str) {
    let within = [
        Type::Optional(Box::new(ty.clone())),
        sequence(Container::List, ty.clone()),
        Type::Fixed(Container::Tuple, vec![Type::I64, ty.clone()]),
        Type::Map(Box::new(Type::Str), Box::new(ty.clone())),
        record("R", &["a"], std::slice::from_ref(&ty)),
        ty,
    ];
    for ty in within {
        let error = Schema::new(ty).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema);
        assert!(error.message().contains(message), "{error}");
    }
}

#[test]
fn containers_refuse_what_they_cannot_contain() {
    let alien = [
        (Type::Fixed(Container::Set, vec![Type::I64]), "a Set can't have fixed fields"),
        (Type::Fixed(Container::FrozenSet, vec![]), "a FrozenSet can't have fixed fields"),
        (Type::Fixed(Container::Map, vec![Type::I64, Type::I64]), "a Map can't have fixed fields"),
        (sequence(Container::Map, Type::I64), "a Map is not a sequence"),
        (
            sequence(Container::Struct(0), Type::I64),
            "is not a sequence; use Type::Map or Type::Struct",
        ),
    ];
    for (ty, message) in alien {
        assert_refused(ty.clone(), message);
        assert_refused(Type::Union(vec![Type::I64, ty.clone()]), message);
        let error = Type::union([ty, Type::I64]).unwrap_err();
        assert!(error.message().contains(message), "{error}");
    }
}

#[test]
fn only_the_canonical_form_is_a_schema() {
    let optional = |ty| Type::Optional(Box::new(ty));
    for inner in [Type::Null, Type::Never, optional(Type::I64)] {
        assert_refused(optional(inner), "is not in canonical form; make it with Type::optional");
    }
    for arms in [
        vec![],
        vec![Type::I64],
        vec![Type::I64, Type::Null],
        vec![Type::I64, optional(Type::Str)],
        vec![Type::Str, Type::I64],
        vec![Type::I64, Type::I64],
        vec![Type::I64, Type::Logical(Logical::Int)],
        vec![
            Type::Fixed(Container::List, vec![Type::Str, Type::I64]),
            sequence(Container::List, Type::I64),
        ],
        vec![record("R", &["a"], &[Type::I64]), record("R", &["a"], &[Type::F64])],
    ] {
        assert_refused(Type::Union(arms), "is not in canonical form; make it with Type::union");
    }
    let arms = [Type::Str, record("R", &["a"], &[Type::I64]), enumeration("E"), Type::I64];
    assert!(Schema::new(Type::union(arms).unwrap()).is_ok());
}

#[test]
fn a_struct_has_a_type_for_each_name() {
    assert_refused(
        record("R", &["a", "b"], &[Type::I64]),
        "R has 2 field names and 1 field type(s)",
    );
    assert_refused(record("a\n", &[], &[Type::I64]), r#""a\u{a}" has 0 field names"#);
}

/// Each arm is compared with all earlier arms, so there must not be many.
#[test]
fn a_union_of_too_many_arms_is_refused_before_they_are_compared() {
    let arms = |count| (0..count).map(|i| enumeration(&i.to_string()));
    assert!(Schema::new(Type::union(arms(MAX_ARMS)).unwrap()).is_ok());
    let many = if cfg!(miri) { 1_000 } else { 1_000_000 };
    let error = Type::union(arms(many)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(error.message(), format!("a union has more than {MAX_ARMS} arms"));
}
