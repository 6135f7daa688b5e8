//! Well-formed arrays of all types.

use super::producer::Node;

pub fn i8s(values: &[i8]) -> Option<Vec<u8>> {
    Some(values.iter().flat_map(|v| v.to_ne_bytes()).collect())
}

pub fn i32s(values: &[i32]) -> Option<Vec<u8>> {
    Some(values.iter().flat_map(|v| v.to_ne_bytes()).collect())
}

pub fn i64s(values: &[i64]) -> Option<Vec<u8>> {
    Some(values.iter().flat_map(|v| v.to_ne_bytes()).collect())
}

pub fn text(text: &str) -> Option<Vec<u8>> {
    Some(text.into())
}

/// The views of a text of 16 bytes, and of one that is within its view.
pub fn views(long: [i32; 4]) -> Option<Vec<u8>> {
    i32s(&[long[0], long[1], long[2], long[3], 2, 0x6261, 0, 0, 0, 0, 0, 0])
}

pub const LONG: &str = "0123456789abcdef";
pub const PREFIX: i32 = i32::from_ne_bytes(*b"0123");

pub fn node(format: &str, length: i64, buffers: Vec<Option<Vec<u8>>>) -> Node {
    let (format, name) = (text(format), text("v"));
    Node { format, name, flags: 2, length, buffers, ..Node::default() }
}

/// The metadata of a field.
fn metadata(entries: &[(&str, &str)]) -> Option<Vec<u8>> {
    let mut bytes = i32s(&[entries.len() as i32])?;
    for text in entries.iter().flat_map(|(key, value)| [key, value]) {
        bytes.extend((text.len() as i32).to_ne_bytes());
        bytes.extend(text.as_bytes());
    }
    Some(bytes)
}

pub fn ints(length: i64) -> Node {
    node("l", length, vec![None, i64s(&(0..length).collect::<Vec<_>>())])
}

pub fn with(node: Node, children: Vec<Node>) -> Node {
    Node { children, ..node }
}

pub fn named(name: &str, node: Node) -> Node {
    Node { name: text(name), ..node }
}

/// Arrays of three values. If their type has null bits, the second is null.
pub fn arrays() -> Vec<(&'static str, Node)> {
    let null = |node: Node| {
        let mut node = Node { null_count: 1, ..node };
        node.buffers[0] = Some(vec![0b101]);
        node
    };
    let lists =
        |format: &str, buffers| with(node(format, 3, buffers), vec![named("item", ints(6))]);
    let fields = || {
        let words = node("u", 3, vec![None, i32s(&[0, 1, 2, 3]), text("abc")]);
        vec![named("a", ints(3)), named("b", words)]
    };
    let entries =
        || Node { flags: 0, ..named("entries", with(node("+s", 3, vec![None]), fields())) };
    let map = || {
        let mut map = with(node("+m", 3, vec![None, i32s(&[0, 2, 2, 3])]), vec![entries()]);
        map.children[0].children[0].flags = 0;
        map
    };
    let words = || node("u", 2, vec![None, i32s(&[0, 2, 4]), text("hiho")]);
    let dictionary = |format, keys| Node {
        dictionary: Some(words().into()),
        ..node(format, 3, vec![None, keys])
    };
    let ends = |length| {
        let ends = node("i", length, vec![None, i32s(&[1, 2, 3])]);
        Node { flags: 0, ..named("run_ends", ends) }
    };
    let ids = i8s(&[0, 1, 0]);
    vec![
        ("null", Node { null_count: 3, ..node("n", 3, vec![]) }),
        ("bool", null(node("b", 3, vec![None, Some(vec![0b001])]))),
        ("int", null(ints(3))),
        ("small", null(node("c", 3, vec![None, i8s(&[1, 2, 3])]))),
        ("float", null(node("f", 3, vec![None, i32s(&[0, 0, 0])]))),
        ("time", null(node("tsu:UTC", 3, vec![None, i64s(&[1, 2, 3])]))),
        ("decimal", null(node("d:9,2", 3, vec![None, i64s(&[1, 0, 2, 0, 3, 0])]))),
        ("fixed", null(node("w:2", 3, vec![None, text("ababab")]))),
        ("text", null(node("u", 3, vec![None, i32s(&[0, 2, 2, 4]), text("éab")]))),
        ("large", null(node("U", 3, vec![None, i64s(&[0, 2, 2, 4]), text("éab")]))),
        ("bytes", null(node("z", 3, vec![None, i32s(&[0, 2, 2, 4]), text("éab")]))),
        (
            "view",
            null(node("vu", 3, vec![None, views([16, PREFIX, 0, 0]), text(LONG), i64s(&[16])])),
        ),
        ("list", null(lists("+l", vec![None, i32s(&[0, 2, 2, 6])]))),
        ("large_list", null(lists("+L", vec![None, i64s(&[0, 2, 2, 6])]))),
        ("list_view", null(lists("+vl", vec![None, i32s(&[2, 0, 0]), i32s(&[4, 0, 2])]))),
        ("large_list_view", null(lists("+vL", vec![None, i64s(&[2, 0, 0]), i64s(&[4, 0, 2])]))),
        ("fixed_list", null(lists("+w:2", vec![None]))),
        (
            "tensor",
            Node {
                metadata: metadata(&[
                    ("ARROW:extension:name", "arrow.fixed_shape_tensor"),
                    ("ARROW:extension:metadata", "{\"shape\":[1,2]}"),
                ]),
                ..null(lists("+w:2", vec![None]))
            },
        ),
        ("struct", with(node("+s", 3, vec![None]), fields())),
        ("map", null(map())),
        ("dictionary", null(dictionary("i", i32s(&[0, 9, 1])))),
        ("wide_dictionary", null(dictionary("L", i64s(&[0, 9, 1])))),
        ("runs", with(node("+r", 3, vec![]), vec![ends(3), named("values", ints(3))])),
        ("sparse", with(node("+us:0,1", 3, vec![ids.clone()]), fields())),
        ("dense", with(node("+ud:0,1", 3, vec![ids, i32s(&[0, 2, 1])]), fields())),
    ]
}
