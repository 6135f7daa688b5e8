//! What can be wrong with an array, and what its error says.

use super::arrays::{PREFIX, arrays, i8s, i32s, i64s, ints, named, text, views};
use super::producer::{Lies, Node};

pub type Damage = Box<dyn Fn(&mut Node)>;

/// A damage: its name, what it changes, and what the error says.
pub type Case = (&'static str, Damage, &'static str);

pub fn case(name: &'static str, damage: impl Fn(&mut Node) + 'static, says: &'static str) -> Case {
    (name, Box::new(damage), says)
}

/// What can be wrong with any array that has these.
pub fn general(of: &Node) -> Vec<Case> {
    let is_null = of.format == text("n");
    let (has_buffers, has_children) = (!of.buffers.is_empty(), !of.children.is_empty());
    let mut cases = vec![
        case("a negative length", |n| n.length = -1, "its length can't be -1"),
        case(
            "the least length",
            |n| n.length = i64::MIN,
            "its length can't be -9223372036854775808",
        ),
        case("a negative offset", |n| n.offset = -1, "its offset can't be -1"),
        case(
            "an enormous sum of both",
            |n| (n.length, n.offset) = (i64::MAX, i64::MAX),
            if is_null { "" } else { "can't" },
        ),
        case("more nulls than values", |n| n.null_count = 4, "has 3 values, and 4 of them"),
        case("negative nulls", |n| n.null_count = -2, "-2 of them are said to be null"),
        case("negative buffers", |n| n.lies.buffers = Some(-1), "number of buffers can't be -1"),
        case("negative children", |n| n.lies.children = Some(-1), "number of children can't be -1"),
        case("many children", |n| n.lies.children = Some(1 << 40), "it has 1099511627776 children"),
        case("a released array", |n| n.lies.is_released = true, "already released"),
        case("a released schema", |n| n.lies.is_schema_released = true, "already released"),
        case("no format", |n| n.format = None, "its format is null"),
        case("an empty format", |n| n.format = text(""), "none of Arrow's types"),
        case(
            "a format that is not text",
            |n| n.format = Some(vec![0xFF]),
            "its format is not UTF-8",
        ),
        case("a name that is not text", |n| n.name = Some(vec![0xFF]), "its name is not UTF-8"),
        case(
            "negative metadata",
            |n| n.metadata = i32s(&[-1]),
            "its metadata can't have -1 entries",
        ),
        case(
            "enormous metadata",
            |n| n.metadata = i32s(&[i32::MAX]),
            "can't have 2147483647 entries",
        ),
        case("a negative key", |n| n.metadata = i32s(&[1, -5]), "metadata can't have -5 bytes"),
        case("an enormous key", |n| n.metadata = i32s(&[1, i32::MAX]), "have 2147483647 bytes"),
        case(
            "a negative value",
            |n| n.metadata = i32s(&[1, 0, -5]),
            "metadata can't have -5 bytes",
        ),
        case("a key that is not text", |n| n.metadata = i32s(&[1, 4, -1, 0]), "are not UTF-8"),
        case("negative fields", |n| n.lies.schema_children = Some(-1), "children can't be -1"),
        case(
            "a dictionary that the type lacks",
            |n| {
                let lies = Lies { no_schema_dictionary: true, ..n.lies.clone() };
                (n.dictionary, n.lies) = (Some(ints(1).into()), lies);
            },
            "it has a dictionary, and the type",
        ),
    ];
    // Views have any number of buffers.
    if !is_null && of.format != text("vu") {
        cases.push(case("buffers more", |n| n.lies.buffers = Some(9), "it has 9 buffers, and"));
    }
    if !is_null && has_buffers {
        let less = |n: &mut Node| n.lies.buffers = Some(n.buffers.len() as i64 - 1);
        cases.push(case("a buffer less", less, "buffer"));
    }
    if has_buffers {
        cases.push(case(
            "no addresses of buffers",
            |n| n.lies.no_buffers = true,
            "buffers is null",
        ));
    }
    if of.buffers.len() > 1 {
        cases.push(case("no buffer", |n| n.buffers[1] = None, "buffer 1 is null"));
        cases.push(case("an enormous length", |n| n.length = i64::MAX, "can't have"));
        cases.push(case("an enormous offset", |n| n.offset = 1 << 62, "can't have"));
    }
    if of.buffers.first().is_some_and(Option::is_some) && of.null_count == 1 {
        cases.extend([
            case(
                "nulls without bits",
                |n| n.buffers[0] = None,
                "1 of its values are said to be null",
            ),
            case(
                "fewer nulls than bits",
                |n| n.null_count = 0,
                "0 of its values are said to be null",
            ),
            case("more nulls than bits", |n| n.null_count = 3, "to be null, and 1 are"),
        ]);
    }
    if has_children {
        cases.extend([
            case("no addresses of children", |n| n.lies.no_children = true, "children is null"),
            case(
                "no addresses of fields",
                |n| n.lies.no_schema_children = true,
                "children is null",
            ),
            case(
                "no child",
                |n| n.children[0].lies.array_at = Some(0),
                "address of the array is null",
            ),
            case("no field", |n| n.children[0].lies.schema_at = Some(0), "the child 0 is null"),
            case("an odd child", |n| n.children[0].lies.array_at = Some(9), "none of a structure"),
            case("an odd field", |n| n.children[0].lies.schema_at = Some(9), "none of a structure"),
            case("a released child", |n| n.children[0].lies.is_released = true, "already released"),
            case(
                "a released field",
                |n| n.children[0].lies.is_schema_released = true,
                "child 0 is already",
            ),
            case("a negative child", |n| n.children[0].length = -7, "its length can't be -7"),
            case(
                "a child less",
                |n| n.lies.children = Some(n.children.len() as i64 - 1),
                "children, and",
            ),
            case(
                "no type of a child",
                |n| n.children[0].format = text("?"),
                "\"?\" is none of Arrow's",
            ),
        ]);
    } else {
        cases.push(case(
            "a field that the type lacks",
            |n| n.lies.schema_children = Some(1),
            "it has 1 children, and the type",
        ));
    }
    cases.retain(|(_, _, says)| !says.is_empty());
    cases
}

/// What can be wrong with arrays of some types.
pub fn special() -> Vec<(&'static str, Case)> {
    let children = |format: &'static str, n: i64| {
        move |of: &mut Node| (of.format, of.lies.schema_children) = (text(format), Some(n))
    };
    let mut all = Vec::new();
    let mut add = |of: &str, cases: Vec<Case>| {
        for (name, damage, says) in cases {
            let of = arrays().into_iter().map(|(name, _)| name).find(|name| *name == of).unwrap();
            all.push((of, (name, damage, says)));
        }
    };
    add(
        "int",
        vec![
            case("an unknown format", |n| n.format = text("q"), "\"q\" is none of Arrow's types"),
            case(
                "an unknown nested format",
                |n| n.format = text("+q"),
                "\"+q\" is none of Arrow's types",
            ),
            case(
                "a list without an item",
                |n| n.format = text("+l"),
                "it has 0 children, and the type +l has 1",
            ),
            case(
                "a map without entries",
                |n| n.format = text("+m"),
                "it has 0 children, and the type +m has 1",
            ),
            case(
                "runs without ends",
                |n| n.format = text("+r"),
                "it has 0 children, and the type +r has 2",
            ),
            case("a wide format", |n| n.format = text("l:5"), "none of Arrow's types"),
            case(
                "a format of text",
                |n| n.format = text("u"),
                "it has 2 buffers, and the type Utf8 has 3",
            ),
            case("a format of views", |n| n.format = text("vu"), "type Utf8View has 3 or more"),
            case("a format of nothing", |n| n.format = text("+us:"), "does not say the ids"),
            case("an interval", |n| n.format = text("tiM"), "no type for Arrow's Interval"),
            case("a zone of nowhere", |n| n.format = text("tss:Mars/Base"), "has no rules of it"),
            case("a null that the field has not", |n| n.flags = 0, "null"),
        ],
    );
    add(
        "decimal",
        vec![
            case("a precision of 0", |n| n.format = text("d:0,0"), "out of range"),
            case("a precision of 99", |n| n.format = text("d:99,0"), "out of range"),
            case("a precision that is none", |n| n.format = text("d:x,0"), "none of Arrow's types"),
            case("a scale that is none", |n| n.format = text("d:9,1000"), "none of Arrow's types"),
            case("a width that is none", |n| n.format = text("d:9,2,77"), "none of Arrow's types"),
            case("no precision", |n| n.format = text("d"), "none of Arrow's types"),
        ],
    );
    add(
        "fixed",
        vec![
            case("a negative width", |n| n.format = text("w:-2"), "out of range"),
            case("a width that is none", |n| n.format = text("w:"), "none of Arrow's types"),
            case(
                "a width of another",
                |n| n.format = text("w:9999999999"),
                "none of Arrow's types",
            ),
        ],
    );
    for of in ["text", "bytes"] {
        add(
            of,
            vec![
                case("a negative first offset", |n| n.buffers[1] = i32s(&[-1, 2, 2, 4]), "offset"),
                case("a negative offset", |n| n.buffers[1] = i32s(&[0, -2, 2, 4]), "offset"),
                case(
                    "a negative last offset",
                    |n| n.buffers[1] = i32s(&[0, 2, 2, -4]),
                    "last offset can't be -4",
                ),
                case(
                    "offsets that decrease",
                    |n| n.buffers[1] = i32s(&[0, 2, 4, 3]),
                    "the offsets of slot",
                ),
                case(
                    "an offset past the end",
                    |n| n.buffers[1] = i32s(&[0, 9, 2, 4]),
                    "the offsets of slot 0",
                ),
                case(
                    "a last offset below the first",
                    |n| n.buffers[1] = i32s(&[2, 2, 2, 0]),
                    "offset",
                ),
                case("no bytes", |n| n.buffers[2] = None, "buffer 2 is null"),
            ],
        );
    }
    add(
        "text",
        vec![
            case("no UTF-8", |n| n.buffers[2] = Some(vec![b'a', 0xFF, b'a', b'b']), "not UTF-8"),
            case("a character in two", |n| n.buffers[1] = i32s(&[0, 1, 2, 4]), "not UTF-8"),
            case(
                "a cut character",
                |n| n.buffers[2] = Some(vec![b'a', b'b', b'c', 0xC3]),
                "not UTF-8",
            ),
            case("a surrogate", |n| n.buffers[2] = Some(vec![b'a', 0xED, 0xA0, 0x80]), "not UTF-8"),
        ],
    );
    add(
        "large",
        vec![
            case(
                "a negative last offset",
                |n| n.buffers[1] = i64s(&[0, 2, 2, -4]),
                "last offset can't be -4",
            ),
            case(
                "an enormous last offset",
                |n| n.buffers[1] = i64s(&[0, 2, 2, i64::MAX]),
                "buffer 2 can't have",
            ),
            case(
                "an enormous offset",
                |n| n.buffers[1] = i64s(&[0, i64::MAX, 2, 4]),
                "the offsets of slot 0",
            ),
            case(
                "offsets that decrease",
                |n| n.buffers[1] = i64s(&[0, 2, 4, 3]),
                "the offsets of slot",
            ),
        ],
    );
    add(
        "view",
        vec![
            case("no lengths", |n| n.buffers[3] = None, "buffer 3 is null"),
            case(
                "a negative length of a buffer",
                |n| n.buffers[3] = i64s(&[-1]),
                "length of a buffer can't be -1",
            ),
            case("an enormous buffer", |n| n.buffers[3] = i64s(&[1 << 60]), "buffer 2 can't have"),
            case("no bytes", |n| n.buffers[2] = None, "buffer 2 is null"),
            case(
                "many buffers",
                |n| n.lies.buffers = Some(1 << 50),
                "it has 1125899906842624 buffers",
            ),
            case(
                "another buffer",
                |n| n.buffers[1] = views([16, PREFIX, 1, 0]),
                "and its array has 1",
            ),
            case(
                "a negative buffer",
                |n| n.buffers[1] = views([16, PREFIX, -1, 0]),
                "and its array has 1",
            ),
            case(
                "an offset past the end",
                |n| n.buffers[1] = views([16, PREFIX, 0, 1]),
                "the offsets of slot 0",
            ),
            case(
                "a negative offset",
                |n| n.buffers[1] = views([16, PREFIX, 0, -1]),
                "the offsets of slot 0",
            ),
            case(
                "a negative length",
                |n| n.buffers[1] = views([-16, PREFIX, 0, 0]),
                "the offsets of slot 0",
            ),
            case("no UTF-8", |n| n.buffers[2] = Some(vec![0xFF; 16]), "not UTF-8"),
            case(
                "no UTF-8 after the prefix",
                |n| n.buffers[2].as_mut().unwrap()[9] = 0xFF,
                "not UTF-8",
            ),
            case("no UTF-8 in a view", |n| n.buffers[1] = views([1, 0xFF, 0, 0]), "not UTF-8"),
        ],
    );
    add(
        "list",
        vec![
            case(
                "offsets that decrease",
                |n| n.buffers[1] = i32s(&[0, 2, 6, 4]),
                "the offsets of slot",
            ),
            case(
                "an offset past the items",
                |n| n.buffers[1] = i32s(&[0, 2, 2, 7]),
                "larger than values length 6",
            ),
            case("a negative offset", |n| n.buffers[1] = i32s(&[0, -2, 2, 6]), "offset"),
            case("fewer items", |n| n.children[0].length = 5, "larger than values length 5"),
            case("two items", children("+l", 2), "it has 2 children"),
            case(
                "a null that the item has not",
                |n| {
                    (n.children[0].flags, n.children[0].null_count) = (0, -1);
                    n.children[0].buffers[0] = Some(vec![0b110111]);
                },
                "null",
            ),
        ],
    );
    add(
        "large_list",
        vec![
            case(
                "an offset past the items",
                |n| n.buffers[1] = i64s(&[0, 2, 2, 7]),
                "larger than values length 6",
            ),
            case(
                "an enormous offset",
                |n| n.buffers[1] = i64s(&[0, i64::MAX, 2, 6]),
                "the offsets of slot 0",
            ),
        ],
    );
    add(
        "list_view",
        vec![
            case("no sizes", |n| n.buffers[2] = None, "buffer 2 is null"),
            case("a negative offset", |n| n.buffers[1] = i32s(&[2, 0, -1]), "offset[2] (-1)"),
            case("a negative size", |n| n.buffers[2] = i32s(&[4, 0, -1]), "size[2] (-1)"),
            case("a size past the items", |n| n.buffers[2] = i32s(&[5, 0, 2]), "Size 5 at index 0"),
            case(
                "an offset past the items",
                |n| n.buffers[1] = i32s(&[3, 0, 0]),
                "Size 4 at index 0",
            ),
        ],
    );
    add(
        "large_list_view",
        vec![case(
            "a sum of enormous numbers",
            |n| (n.buffers[1], n.buffers[2]) = (i64s(&[i64::MAX; 3]), i64s(&[i64::MAX; 3])),
            "Size 9223372036854775807 at index 0",
        )],
    );
    add(
        "fixed_list",
        vec![
            case("a negative size", |n| n.format = text("+w:-1"), "no size of a list"),
            case("no size", |n| n.format = text("+w"), "no size of a list"),
            case("fewer items", |n| n.children[0].length = 5, "Values length 5 is less"),
            case(
                "an offset past the items",
                |n| (n.offset, n.null_count) = (1, -1),
                "Values length 6 is less",
            ),
            case(
                "an enormous size",
                |n| n.format = text("+w:2147483647"),
                "Values length 6 is less",
            ),
            case(
                "an enormous length",
                |n| {
                    (n.null_count, n.buffers[0], n.length) = (0, None, i64::MAX);
                    n.format = text("+w:3");
                },
                "can't have 9223372036854775807 lists",
            ),
            case("an enormous number of bits", |n| n.length = i64::MAX, "buffer 0 can't have"),
        ],
    );
    add(
        "struct",
        vec![
            case("a shorter field", |n| n.children[1].length = 2, "length smaller than expected"),
            case("an offset past the fields", |n| n.offset = 1, "length smaller than expected"),
            case("an enormous length", |n| n.length = i64::MAX, "length smaller than expected"),
            case("a field more", |n| n.lies.schema_children = Some(1), "it has 2 children"),
            case(
                "as many fields as there may not be",
                |n| n.lies.schema_children = Some(1 << 40),
                "at most 65536",
            ),
            case("a name twice", |n| n.children[1].name = text("a"), "comes twice"),
            case(
                "a damaged field",
                |n| n.children[1].buffers[1] = i32s(&[0, 9, 2, 3]),
                "b: the offsets of slot 0",
            ),
            case(
                "a null that the field has not",
                |n| {
                    (n.children[0].flags, n.children[0].null_count) = (0, 1);
                    n.children[0].buffers[0] = Some(vec![0b110]);
                },
                "is null",
            ),
            case("a null row", |n| (n.null_count, n.buffers[0]) = (2, Some(vec![0b100])), ""),
        ],
    );
    add(
        "map",
        vec![
            case(
                "entries that are no structs",
                |n| n.children = vec![ints(3)],
                "structs of two fields",
            ),
            case(
                "entries of one field",
                |n| _ = n.children[0].children.pop(),
                "structs of two fields",
            ),
            case(
                "an offset past the entries",
                |n| n.buffers[1] = i32s(&[0, 2, 2, 4]),
                "values length 3",
            ),
            case(
                "offsets that decrease",
                |n| n.buffers[1] = i32s(&[0, 2, 3, 1]),
                "the offsets of slot",
            ),
            case(
                "keys that may be null",
                |n| n.children[0].children[0].flags = 2,
                "key field must not be null",
            ),
            case("entries that may be null", |n| n.children[0].flags = 2, "entries"),
            case(
                "a null key",
                |n| {
                    let keys = &mut n.children[0].children[0];
                    (keys.null_count, keys.buffers[0]) = (1, Some(vec![0b110]));
                },
                "null",
            ),
            case(
                "a null entry",
                |n| {
                    (n.children[0].null_count, n.children[0].buffers[0]) = (1, Some(vec![0b110]));
                },
                "an entry of a map is null",
            ),
        ],
    );
    add(
        "dictionary",
        vec![
            case("an index past the end", |n| n.buffers[1] = i32s(&[0, 9, 2]), "has the key 2"),
            case("a negative index", |n| n.buffers[1] = i32s(&[0, 9, -1]), "has the key -1"),
            case(
                "no dictionary",
                |n| n.lies.no_dictionary = true,
                "its dictionary: the address of the array is null",
            ),
            case(
                "a released dictionary",
                |n| n.dictionary.as_mut().unwrap().lies.is_released = true,
                "its dictionary: it is already",
            ),
            case(
                "a released type of it",
                |n| n.dictionary.as_mut().unwrap().lies.is_schema_released = true,
                "dictionary is already",
            ),
            case(
                "an empty dictionary",
                |n| n.dictionary.as_mut().unwrap().length = 0,
                "has the key 0",
            ),
            case(
                "a damaged dictionary",
                |n| n.dictionary.as_mut().unwrap().buffers[1] = i32s(&[0, 5, 4]),
                "the offsets of slot 0",
            ),
            case(
                "an odd dictionary",
                |n| n.dictionary.as_mut().unwrap().lies.array_at = Some(3),
                "none of a structure",
            ),
            case(
                "an odd type of it",
                |n| n.dictionary.as_mut().unwrap().lies.schema_at = Some(3),
                "none of a structure",
            ),
            case(
                "indices that are no integers",
                |n| n.format = text("f"),
                "indices of a dictionary can't be Float32",
            ),
            case(
                "indices that are lists",
                |n| (n.format, n.children) = (text("+l"), vec![ints(1)]),
                "indices of a dictionary can't be List",
            ),
            case(
                "a dictionary in words alone",
                |n| n.lies.no_schema_dictionary = true,
                "has a dictionary, and the type Int32",
            ),
        ],
    );
    add(
        "wide_dictionary",
        vec![
            case("an enormous index", |n| n.buffers[1] = i64s(&[0, 9, -1]), "18446744073709551615"),
            case("an index past the end", |n| n.buffers[1] = i64s(&[0, 9, 2]), "has the key 2"),
        ],
    );
    add(
        "runs",
        vec![
            case(
                "ends that decrease",
                |n| n.children[0].buffers[1] = i32s(&[1, 3, 2]),
                "strictly increasing",
            ),
            case(
                "ends that stay",
                |n| n.children[0].buffers[1] = i32s(&[1, 1, 3]),
                "strictly increasing",
            ),
            case(
                "a negative end",
                |n| n.children[0].buffers[1] = i32s(&[-1, 2, 3]),
                "strictly positive",
            ),
            case(
                "an end of 0",
                |n| n.children[0].buffers[1] = i32s(&[0, 2, 3]),
                "strictly positive",
            ),
            case("ends before the length", |n| n.length = 4, "run_ends"),
            case("an offset past the ends", |n| n.offset = 1, "run_ends"),
            case("an enormous offset", |n| n.offset = i64::MAX - 3, "run_ends"),
            case("fewer values", |n| n.children[1].length = 2, "run_ends"),
            case("no runs", |n| (n.children[0].length, n.children[1].length) = (0, 0), "run_ends"),
            case(
                "ends that are floats",
                |n| n.children[0].format = text("f"),
                "ends of runs can't be Float32",
            ),
            case(
                "a null end",
                |n| {
                    (n.children[0].null_count, n.children[0].buffers[0]) = (1, Some(vec![0b101]));
                },
                "null values in run_ends",
            ),
            case(
                "ends that may be null",
                |n| n.children[0].flags = 2,
                "nullable should be set to false",
            ),
        ],
    );
    for of in ["sparse", "dense"] {
        add(
            of,
            vec![
                case("an id of no type", |n| n.buffers[0] = i8s(&[0, 7, 0]), "the arm 7"),
                case("a negative id", |n| n.buffers[0] = i8s(&[0, -1, 0]), "the arm -1"),
                case("no ids", |n| n.buffers[0] = None, "buffer 0 is null"),
                case("an enormous length", |n| n.length = 1 << 57, "buffer 0 can't have"),
                case("a child less than ids", |n| n.lies.schema_children = Some(1), "type_ids"),
                case(
                    "two types that are the same",
                    |n| n.children[1] = named("b", ints(3)),
                    "two arms",
                ),
            ],
        );
    }
    add(
        "sparse",
        vec![
            case("a shorter child", |n| n.children[1].length = 2, "length smaller than expected"),
            case("an id twice", |n| n.format = text("+us:1,1"), "duplicate type id: 1"),
            case("a negative type", |n| n.format = text("+us:0,-1"), "non-negative: -1"),
            case("a type past the last", |n| n.format = text("+us:0,128"), "does not say the ids"),
        ],
    );
    add(
        "dense",
        vec![
            case("an offset past the child", |n| n.buffers[1] = i32s(&[0, 3, 1]), "of its arm 1"),
            case("a negative offset", |n| n.buffers[1] = i32s(&[0, -1, 1]), "of its arm 1"),
            case("no offsets", |n| n.buffers[1] = None, "buffer 1 is null"),
            case("a shorter child", |n| n.children[1].length = 2, "of its arm 1"),
        ],
    );
    all.retain(|(_, (_, _, says))| !says.is_empty());
    all
}
