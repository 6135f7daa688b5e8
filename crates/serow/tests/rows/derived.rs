//! Each shape of a derived type, and each attribute that changes what is written.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::num::{NonZeroI8, NonZeroU64};
use std::rc::Rc;
use std::sync::Arc;

use serow::{Codec, Row, Wire, schema_of};

use crate::come_back;

#[track_caller]
fn has_schema<T: Row + ?Sized>(schema: &str) {
    assert_eq!(schema_of::<T>().unwrap().to_string(), schema);
}

#[derive(Clone, Debug, PartialEq, Row)]
struct Part {
    key: i64,
    name: String,
    sizes: Vec<f32>,
    shape: Option<Shape>,
}

#[derive(Clone, Debug, PartialEq, Row)]
enum Shape {
    Point,
    Line,
    Circle(f64),
    Box(i32, i32),
    Part { key: u8, inner: Option<Box<Color>> },
    Nothing(),
    Empty {},
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Row)]
enum Color {
    Red,
    Green,
    #[row(rename = "dark blue")]
    Blue,
}

fn shapes() -> Vec<Shape> {
    vec![
        Shape::Point,
        Shape::Circle(0.5),
        Shape::Box(-1, i32::MAX),
        Shape::Part { key: 255, inner: Some(Box::new(Color::Blue)) },
        Shape::Line,
        Shape::Part { key: 0, inner: None },
        Shape::Nothing(),
        Shape::Empty {},
    ]
}

#[test]
fn structs_and_enums() {
    has_schema::<Part>(
        "Part{key: i64, name: str, sizes: [f32], shape: \
         (\"Shape::Box\"{\"0\": (i32, i32)}|\"Shape::Circle\"{\"0\": f64}|\"Shape::Empty\"{}\
         |\"Shape::Nothing\"{\"0\": ()}|\"Shape::Part\"{key: u8, inner: enum Color{Green, Red, \"dark blue\"}?}\
         |enum Shape{Line, Point})?}",
    );
    let parts: Vec<Part> = shapes()
        .into_iter()
        .map(Some)
        .chain([None])
        .enumerate()
        .map(|(i, shape)| Part {
            key: i as i64 - 3,
            name: "x".repeat(i),
            sizes: vec![0.5; i],
            shape,
        })
        .collect();
    come_back(&parts);
    let many: Vec<Part> = (0..3000).map(|i| parts[i % parts.len()].clone()).collect();
    come_back(&many);
    come_back::<Part>(&[]);
}

#[derive(Clone, Debug, PartialEq, Row)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Row)]
struct Newtype(Option<i32>);

#[derive(Clone, Debug, PartialEq, Row)]
struct Pair(i32, bool);

#[derive(Clone, Debug, PartialEq, Row)]
struct NoItems();

#[derive(Clone, Debug, PartialEq, Row)]
struct NoFields {}

#[test]
fn structs_without_names() {
    has_schema::<Unit>("null");
    has_schema::<Newtype>("i32?");
    has_schema::<Option<Newtype>>("(i32?,)?");
    has_schema::<Pair>("(i32, bool)");
    has_schema::<NoItems>("()");
    has_schema::<NoFields>("NoFields{}");
    let none = || (Unit, Newtype(None), Pair(1, true), NoItems(), NoFields {});
    let some = || (Unit, Newtype(Some(1)), Pair(-1, false), NoItems(), NoFields {});
    come_back(&[
        (vec![none(), some()], Some(Unit), None, vec![Unit; 5], vec![NoFields {}; 5]),
        (vec![], None, Some(Newtype(None)), vec![], vec![]),
        (vec![some()], None, Some(Newtype(Some(2))), vec![], vec![]),
    ]);
}

#[derive(Clone, Debug, PartialEq, Row)]
enum Only {
    One { a: i32 },
}

#[derive(Clone, Debug, PartialEq, Row)]
enum OnlyUnit {
    One,
}

#[test]
fn enums_of_one_variant() {
    has_schema::<Only>("\"Only::One\"{a: i32}");
    has_schema::<OnlyUnit>("enum OnlyUnit{One}");
    come_back(&[(Only::One { a: 1 }, OnlyUnit::One)]);
}

#[derive(Clone, Debug, PartialEq, Row)]
struct Generic<T, const N: usize, U = ()> {
    all: [T; N],
    more: Vec<U>,
}

#[derive(Clone, Debug, PartialEq, Row)]
enum Tree<A, B>
where
    A: Clone,
{
    Left(A),
    Right { value: B, r#type: A },
}

#[test]
fn generics() {
    has_schema::<Generic<i8, 2>>("Generic{all: (i8, i8), more: [null]}");
    has_schema::<Generic<String, 1, bool>>("Generic{all: (str,), more: [bool]}");
    has_schema::<Tree<i8, ()>>(r#""Tree::Left"{"0": i8}|"Tree::Right"{value: null, type: i8}"#);
    let of_units = Generic { all: [1i8, 2], more: vec![(), ()] };
    let of_bools = Generic { all: [Some("a".to_string()), None], more: vec![true] };
    let trees = [Tree::Left(Color::Red), Tree::Right { value: Some(1), r#type: Color::Green }];
    come_back(&[(of_units, of_bools, trees)]);
}

#[derive(Row)]
struct Borrowed<'a, T: ?Sized> {
    name: &'a str,
    items: &'a [i64],
    text: Cow<'a, str>,
    any: &'a T,
}

#[test]
fn types_that_borrow_are_written() {
    #[derive(Debug, PartialEq, Row)]
    #[row(rename = "Borrowed")]
    struct Owned {
        name: String,
        items: Vec<i64>,
        text: String,
        any: String,
    }
    let name = String::from("almond");
    let row = Borrowed { name: &name, items: &[1, 2], text: "a".into(), any: "b" };
    let bytes = serow::to_vec(&[row]).unwrap();
    let owned = Owned { name, items: vec![1, 2], text: "a".into(), any: "b".into() };
    assert_eq!(serow::from_slice::<Owned>(&bytes).unwrap(), [owned]);
}

/// A color that is text in the rows.
mod hex {
    pub type As = String;

    pub fn to_row(color: &u32) -> String {
        format!("{color:06x}")
    }

    pub fn from_row(text: String) -> Result<u32, std::num::ParseIntError> {
        u32::from_str_radix(&text, 16)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Row)]
struct Attributes {
    #[row(rename = "key number")]
    key: u32,
    #[row(skip)]
    cache: Option<std::time::Duration>,
    #[row(with = hex)]
    color: u32,
    #[row(with = crate::derived::hex, default = 255)]
    other: u32,
}

#[derive(Clone, Debug, PartialEq, Row)]
struct Items(#[row(skip)] u8, #[row(with = hex)] u32, bool);

#[derive(Clone, Debug, PartialEq, Row)]
struct Inner(#[row(with = hex)] u32);

#[test]
fn attributes_of_fields() {
    has_schema::<Attributes>("Attributes{\"key number\": u32, color: str, other: str}");
    has_schema::<Items>("(str, bool)");
    has_schema::<Inner>("str");
    let of = |attributes| (attributes, Items(0, 0x12, true), Inner(5));
    come_back(&[
        of(Attributes { key: 1, color: 0xFFAA00, ..Attributes::default() }),
        of(Attributes { key: 2, color: 0, other: 7, cache: None }),
    ]);
    let cached = Attributes { cache: Some(std::time::Duration::MAX), ..Attributes::default() };
    let codec = Codec::of::<Attributes>(Wire::Row).unwrap();
    let back = codec.decode_one(&codec.encode_one(&cached).unwrap()).unwrap();
    assert_eq!(back, Attributes::default());
}

mod elsewhere {
    pub mod nested {
        pub use serow;
    }
}

#[test]
fn the_crate_may_be_elsewhere() {
    #[derive(Debug, PartialEq, serow::Row)]
    #[row(crate = crate::derived::elsewhere::nested::serow)]
    struct Part {
        key: i64,
    }
    come_back(&[Part { key: 1 }]);
}

/// Names that generated code must not confuse with its own.
#[test]
fn names_of_users_are_not_taken() {
    #[derive(Clone, Debug, PartialEq, Row)]
    struct Place {
        at: i32,
        to: i32,
        from: String,
        made: bool,
    }
    #[derive(Clone, Debug, PartialEq, Row)]
    enum Result {
        Ok(Place),
        Err { fault: Place, of: i32, field_0: u8 },
        None,
    }
    let place = Place { at: 1, to: 2, from: "a".into(), made: true };
    come_back(&[
        Result::Ok(place.clone()),
        Result::Err { fault: place, of: 3, field_0: 4 },
        Result::None,
    ]);
}

type Options = (Option<Option<i32>>, Option<()>, Option<Option<Option<()>>>);

#[derive(Clone, Debug, PartialEq, Row)]
struct Containers {
    deque: VecDeque<i32>,
    linked: LinkedList<String>,
    set: BTreeSet<i8>,
    hashed: HashSet<Color>,
    map: BTreeMap<String, i32>,
    hash_map: HashMap<u64, Vec<String>>,
    pairs: BTreeMap<Vec<u8>, Option<bool>>,
    by_option: BTreeMap<Option<bool>, ()>,
    boxed: Box<[i64]>,
    shared: Arc<str>,
    counted: Arc<Vec<u16>>,
    nested: Vec<Vec<Vec<f64>>>,
    bools: Vec<bool>,
    tuples: Vec<(i64, String)>,
    array: [u8; 32],
    long: Box<[u8; 5000]>,
    phantom: PhantomData<Color>,
    options: Options,
    chars: Vec<char>,
}

#[test]
fn containers() {
    let full = Containers {
        deque: [1, -2].into(),
        linked: ["a".into(), "".into()].into(),
        set: [3, -4].into(),
        hashed: [Color::Red, Color::Blue].into(),
        map: [("a".into(), 1), ("b".into(), 2)].into(),
        hash_map: [(u64::MAX, vec!["x".into()]), (1, vec![])].into(),
        pairs: [(vec![1, 2], None), (vec![], Some(true))].into(),
        by_option: [(None, ()), (Some(true), ())].into(),
        boxed: [i64::MIN, i64::MAX].into(),
        shared: "shared".into(),
        counted: Arc::new(vec![0, u16::MAX]),
        nested: vec![vec![], vec![vec![], vec![0.5; 1000]]],
        bools: vec![true, false, true],
        tuples: vec![(1, "a".into()), (2, "羚羊".into())],
        array: std::array::from_fn(|i| i as u8),
        long: Box::new([7; 5000]),
        phantom: PhantomData,
        options: (Some(None), Some(()), Some(Some(None))),
        chars: vec!['a', '\0', '\u{10FFFF}'],
    };
    let empty = Containers {
        deque: [].into(),
        linked: [].into(),
        set: [].into(),
        hashed: [].into(),
        map: [].into(),
        hash_map: [].into(),
        pairs: [].into(),
        by_option: [].into(),
        boxed: [].into(),
        shared: "".into(),
        counted: Arc::new(vec![]),
        nested: vec![],
        bools: vec![],
        tuples: vec![],
        array: [0; 32],
        long: Box::new([0; 5000]),
        phantom: PhantomData,
        options: (None, None, None),
        chars: vec![],
    };
    come_back(&[full, empty]);
}

#[test]
fn types_that_threads_cannot_share_come_back() {
    type Unshared = (Rc<str>, RefCell<Vec<i32>>, Cell<u8>);
    let rows: [Unshared; 1] = [("a".into(), RefCell::new(vec![1]), Cell::new(7))];
    let bytes = serow::to_vec(&rows).unwrap();
    assert_eq!(serow::from_slice::<Unshared>(&bytes).unwrap(), rows);
    let codec = Codec::of(Wire::Row).unwrap();
    assert_eq!(codec.decode_one(&codec.encode_one(&rows[0]).unwrap()).unwrap(), rows[0]);
}

/// Defines a struct of numbers of each type, alone and in lists.
macro_rules! numbers {
    ($($name:ident: $ty:ty),*) => {
        #[derive(Clone, Debug, PartialEq, Row)]
        struct Numbers {
            $($name: ($ty, Option<$ty>, Vec<$ty>),)*
        }

        fn numbers() -> Vec<Numbers> {
            vec![
                Numbers { $($name: (<$ty>::MIN, None, vec![]),)* },
                Numbers { $($name: (<$ty>::MAX, Some(1), vec![<$ty>::MIN, 0, 1, <$ty>::MAX]),)* },
                Numbers { $($name: (0, Some(<$ty>::MAX), vec![<$ty>::MAX / 3; 1000]),)* },
            ]
        }
    };
}

numbers! {
    i8s: i8, i16s: i16, i32s: i32, i64s: i64, i128s: i128, isizes: isize,
    u8s: u8, u16s: u16, u32s: u32, u64s: u64, u128s: u128, usizes: usize
}

#[test]
fn numbers_at_their_limits() {
    come_back(&numbers());
    come_back(&[
        (NonZeroU64::MAX, NonZeroI8::MIN, u64::MAX),
        (NonZeroU64::MIN, NonZeroI8::MAX, 1 << 63),
    ]);
}

#[test]
fn floats_come_back_by_their_bits() {
    let singles = [0, 1, 0x7F80_0000, 0x7F80_0001, 0xFFC1_2345, 0x8000_0000, 0x3DCC_CCCD];
    let singles: Vec<f32> = singles.map(f32::from_bits).into();
    let doubles: [u64; 5] =
        [1, 1 << 63, 0x7FF0_0000_0000_0001, 0xFFF8_0000_0000_1234, 0x3FB9_9999_9999_999A];
    let doubles: Vec<f64> = doubles.map(f64::from_bits).into();
    let row = (singles[3], singles, doubles[2], doubles);
    type Floats = (f32, Vec<f32>, f64, Vec<f64>);
    let bits = |(single, singles, double, doubles): &Floats| {
        let singles: Vec<u32> = singles.iter().map(|v| v.to_bits()).collect();
        let doubles: Vec<u64> = doubles.iter().map(|v| v.to_bits()).collect();
        (single.to_bits(), singles, double.to_bits(), doubles)
    };
    crate::come_back_as(&[row], |a, b| bits(a) == bits(b));
}

#[derive(Clone, Debug, PartialEq, Row)]
struct Defaulted<T> {
    key: i64,
    #[row(default)]
    value: T,
    #[row(skip)]
    cache: Vec<T>,
}

#[test]
fn defaults_of_generic_types() {
    let row = Defaulted { key: 1, value: "a".to_string(), cache: vec![] };
    come_back(std::slice::from_ref(&row));
    #[derive(Row)]
    #[row(rename = "Defaulted")]
    struct Old {
        key: i64,
    }
    let bytes = serow::to_vec(&[Old { key: 1 }]).unwrap();
    let rows: Vec<Defaulted<String>> = serow::from_slice(&bytes).unwrap();
    assert_eq!(rows, [Defaulted { value: String::new(), ..row }]);
}
