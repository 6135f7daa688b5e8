//! Arrays of any number of dimensions as columns, and tensors of others.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::builder::{Float32Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int8Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, FixedSizeListArray, Float32Array, Int16Array,
    Int32Array, ListArray, RecordBatch, RunArray, StructArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use proptest::prelude::*;
use serow::{Composite, ElementType, Logical, NdArray, Value};
use serow_arrow::{Batches, Import};
use serow_core::Result;
use serow_core::decode::decode_set;
use serow_core::layout::batch::Batch;
use serow_core::layout::value::{ValueRows, ValueWriter};
use serow_core::wire::frame::ColumnSet;

const NAME: &str = "ARROW:extension:name";
const DETAILS: &str = "ARROW:extension:metadata";
const FIXED: &str = "arrow.fixed_shape_tensor";
const VARIABLE: &str = "arrow.variable_shape_tensor";

/// The rows of batches of one schema.
fn read(batches: &[RecordBatch]) -> Result<Vec<Value>> {
    let import = Import::new(&batches[0].schema())?;
    let (mut columns, mut rows) = (Batch::default(), ValueWriter::new());
    let program = import.program(batches)?;
    for batch in batches {
        let mut row = 0;
        while row < batch.num_rows() {
            import.read(&program, batch, row, &mut columns)?;
            row += columns.rows;
            decode_set(&program, ColumnSet::staged(&program, &columns), None, 0, &mut rows)?;
        }
    }
    Ok(rows.into_rows())
}

fn made(rows: &[Value], wanted: Option<&SchemaRef>, most: usize) -> Result<Vec<RecordBatch>> {
    let (_, batches) = Batches::of_all(&ValueRows(rows), None, wanted, most)?;
    for column in batches.iter().flat_map(RecordBatch::columns) {
        column.to_data().validate_full().unwrap();
    }
    Ok(batches)
}

/// Makes a column of rows, and checks that they come back. Returns its field and its first array.
fn column(values: &[Value]) -> (Field, ArrayRef) {
    let rows: Vec<Value> = values.iter().map(|v| Value::dict([("a", v.clone())])).collect();
    for most in [1000, 2] {
        let batches = made(&rows, None, most).unwrap();
        assert_eq!(read(&batches).unwrap(), rows);
    }
    let batches = made(&rows, None, 1000).unwrap();
    let tail = batches[0].slice(1, rows.len() - 1);
    assert_eq!(read(&[tail]).unwrap(), rows[1..]);
    (batches[0].schema().field(0).clone(), batches[0].column(0).clone())
}

fn wanted(values: &[Value], field: Field) -> Result<ArrayRef> {
    let rows: Vec<Value> = values.iter().map(|v| Value::dict([("a", v.clone())])).collect();
    let schema = Arc::new(Schema::new(vec![field]));
    Ok(made(&rows, Some(&schema), 1000)?[0].column(0).clone())
}

fn refused(values: &[Value], field: Field) -> String {
    wanted(values, field).unwrap_err().to_string()
}

fn values_of(field: Field, array: ArrayRef) -> Result<Vec<Value>> {
    let batch = RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![array]).unwrap();
    let tail = batch.slice(1, batch.num_rows() - 1);
    let rows = read(&[batch])?;
    assert_eq!(read(&[tail])?, rows[1..]);
    let value = |row: Value| match row {
        Value::Struct(_, values) => values[0].clone(),
        other => other,
    };
    Ok(rows.into_iter().map(value).collect())
}

fn nd(of: ElementType, lengths: &[usize], elements: &[u8]) -> Value {
    Composite::nd_array(of, lengths, elements).unwrap().into()
}

fn floats(lengths: &[usize], elements: impl IntoIterator<Item = f32>) -> Value {
    let bytes: Vec<u8> = elements.into_iter().flat_map(f32::to_le_bytes).collect();
    nd(ElementType::F32, lengths, &bytes)
}

fn shorts(lengths: &[usize], elements: impl IntoIterator<Item = i16>) -> Value {
    let bytes: Vec<u8> = elements.into_iter().flat_map(i16::to_le_bytes).collect();
    nd(ElementType::I16, lengths, &bytes)
}

fn big_endian(of: ElementType, lengths: &[usize], elements: &[u8]) -> Value {
    let mut bytes = Vec::new();
    NdArray::write_shape(lengths, &mut bytes).unwrap();
    bytes.extend(elements);
    let code = NdArray::code(of, true);
    Composite::of(Logical::NdArray, &[code], &[], &bytes).unwrap().into()
}

fn item(ty: DataType) -> Arc<Field> {
    Arc::new(Field::new("item", ty, true))
}

fn lists(depth: usize, ty: DataType) -> DataType {
    (0..depth).fold(ty, |ty, _| DataType::List(item(ty)))
}

fn tensor(ty: DataType, size: i32, details: &str) -> Field {
    extension(DataType::FixedSizeList(item(ty), size), FIXED, details)
}

fn extension(ty: DataType, name: &str, details: &str) -> Field {
    let details = [(NAME, name), (DETAILS, details)].map(|(k, v)| (k.to_owned(), v.to_owned()));
    Field::new("a", ty, true).with_metadata(HashMap::from(details))
}

fn of_size(size: i32, values: ArrayRef, nulls: Option<NullBuffer>) -> ArrayRef {
    let field = item(values.data_type().clone());
    Arc::new(FixedSizeListArray::try_new(field, size, values, nulls).unwrap())
}

#[test]
fn arrays_of_one_shape_are_tensors() {
    let values = [
        floats(&[2, 3], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        Value::Null,
        floats(&[2, 3], [6.0, 7.0, 8.0, 9.0, 10.0, f32::INFINITY]),
    ];
    let (field, array) = column(&values);
    assert_eq!(field, tensor(DataType::Float32, 6, r#"{"shape":[2,3]}"#));
    let list = array.as_fixed_size_list();
    assert!(list.is_null(1) && list.null_count() == 1);
    let last = list.value(2);
    let expected = [6.0, 7.0, 8.0, 9.0, 10.0, f32::INFINITY];
    assert_eq!(last.as_primitive::<Float32Type>().values()[..], expected);
    let (field, _) = column(&vec![values[0].clone(); 3]);
    assert!(!field.is_nullable());
}

#[test]
fn all_elements_come_back() {
    for of in ElementType::ALL {
        let bytes: Vec<u8> = match of {
            ElementType::Bool => vec![0, 1, 1, 0, 0, 1],
            _ => (0..6 * of.size() as u8).collect(),
        };
        let grid = nd(of, &[3, 2], &bytes);
        let line = nd(of, &[6], &bytes);
        let short = nd(of, &[4], &bytes[..4 * of.size()]);
        let empty = nd(of, &[2, 0], &[]);
        let name = of.name();
        let is_complex = matches!(of, ElementType::Complex64 | ElementType::Complex128);
        let is = |values: &[Value], shows: &str| {
            let (field, _) = column(values);
            let ty = field.data_type().to_string();
            let shows = if is_complex { "Struct" } else { shows };
            assert!(ty.starts_with(shows) && !ty.contains("Null"), "{name}: {ty}");
        };
        is(&[grid.clone(), Value::Null, grid.clone()], "FixedSizeList(6 x ");
        is(&[line.clone(), Value::Null, short.clone()], "List(");
        is(&[line.clone(), line.clone()], "List(");
        is(&[grid.clone(), empty.clone(), Value::Null], "List(non-null List(");
        is(&[empty.clone(), empty.clone()], "List(non-null List(");
        is(&[grid.clone(), line.clone(), Value::Null], "Struct(");
        is(&[nd(of, &[], &bytes[..of.size()]), Value::Null], "Struct(");
        is(&[nd(of, &[0, 3], &[]), grid.clone()], "Struct(");
        is(&[nd(of, &[1, 1, 100, 0], &[]), nd(of, &[1; 4], &bytes[..of.size()])], "Struct(");
        let other = if of == ElementType::I8 { ElementType::U8 } else { ElementType::I8 };
        is(&[grid.clone(), nd(other, &[3, 2], &[1; 6])], "Struct(");
        if of.word() > 1 && !is_complex {
            let big = big_endian(of, &[3, 2], &bytes);
            is(&[big.clone(), Value::Null, big.clone()], "FixedSizeList(6 x ");
            is(&[big_endian(of, &[6], &bytes), Value::Null], "List(");
            is(&[big, grid], "Struct(");
        }
    }
}

#[test]
fn other_arrays_are_their_components() {
    let bytes: Vec<u8> = [1i16, -2].iter().flat_map(|v| v.to_le_bytes()).collect();
    let values = [
        big_endian(ElementType::I16, &[2], &bytes),
        Value::Null,
        nd(ElementType::U8, &[], &[7]),
        nd(ElementType::Complex64, &[1, 1], &[1; 8]),
    ];
    let (_, array) = column(&values);
    let of = array.as_struct();
    let names: Vec<_> = of.column(0).as_string::<i32>().iter().flatten().collect();
    assert_eq!(names, [">int16", "", "uint8", "complex64"]);
    let shape = of.column(1).as_list::<i32>().value(0);
    assert_eq!(shape.as_primitive::<arrow_array::types::Int64Type>().values()[..], [2]);
    assert_eq!(of.column(2).as_binary::<i32>().value(0), [0, 1, 255, 254]);
}

#[test]
fn columns_that_others_have_changed_come_back() {
    let values = [shorts(&[2], [1, 2]), shorts(&[1], [3])];
    let (field, array) = column(&values);
    let list = array.as_list::<i32>();
    let DataType::List(of) = field.data_type() else { panic!("{field}") };
    let offsets = list.offsets().iter().map(|&at| i64::from(at)).collect::<Vec<_>>();
    let large = arrow_array::LargeListArray::new(
        of.clone(),
        arrow_buffer::OffsetBuffer::new(offsets.into()),
        list.values().clone(),
        None,
    );
    let field = field.clone().with_data_type(large.data_type().clone());
    assert_eq!(values_of(field, Arc::new(large)).unwrap(), values);
    // Without what serow says of it a list is a list.
    let plain = Field::new("a", array.data_type().clone(), true);
    let rows = values_of(plain, array).unwrap();
    assert_eq!(rows[0], Value::List(vec![Value::I64(1), Value::I64(2)]));
}

#[test]
fn arrays_are_within_others() {
    let grids = |n: i16| (0..n).map(|i| shorts(&[1, 2], [i, n])).collect();
    let rows = [Value::List(grids(2)), Value::List(vec![]), Value::Null, Value::List(grids(3))];
    let (field, _) = column(&rows);
    assert!(field.data_type().to_string().starts_with("List(non-null FixedSizeList(2 x Int16)"));
    column(&[
        Value::Tuple(vec![Value::I64(1), floats(&[1, 1], [0.5])]),
        Value::Tuple(vec![Value::I64(2), floats(&[1, 2], [0.5, 1.5])]),
    ]);
    column(&[Value::from("text"), floats(&[1, 1], [0.5]), Value::Null, Value::F64(0.5)]);
    column(&[
        Value::List(vec![Value::F64(0.5)]),
        Value::dict([("x", floats(&[2], [0.5, 1.0]))]),
        Value::dict([("x", floats(&[1], [0.5]))]),
    ]);
}

#[test]
fn arrays_are_stored_as_somebody_wants() {
    let values = [shorts(&[2, 2], [1, 2, 3, 4]), Value::Null, shorts(&[2, 2], [5, 6, 7, 8])];
    let grid = r#"{"shape":[2,2]}"#;
    let of = |field| wanted(&values, field).unwrap();
    let floats = of(tensor(DataType::Float32, 4, grid));
    let last = floats.as_fixed_size_list().value(2);
    assert_eq!(last.as_primitive::<Float32Type>().values()[..], [5.0, 6.0, 7.0, 8.0]);
    assert!(floats.is_null(1));
    let moved = of(tensor(DataType::Int16, 4, r#"{"shape":[2,2],"permutation":[1,0]}"#));
    let first = moved.as_fixed_size_list().value(0);
    assert_eq!(first.as_primitive::<arrow_array::types::Int16Type>().values()[..], [1, 3, 2, 4]);
    let field = tensor(DataType::Int16, 4, r#"{"shape":[2,2],"permutation":[1,0]}"#);
    assert_eq!(values_of(field, moved).unwrap(), values);
    let nested = of(Field::new("a", lists(2, DataType::Int8), true));
    assert_eq!(nested.as_list::<i32>().value_length(0), 2);
    let leaf = nested.as_list::<i32>().values().as_list::<i32>().values();
    assert_eq!(leaf.as_primitive::<Int8Type>().values()[..], [1, 2, 3, 4, 5, 6, 7, 8]);
    for outer in [
        DataType::FixedSizeList(item(lists(1, DataType::Decimal128(5, 1))), 2),
        DataType::FixedSizeList(item(DataType::FixedSizeList(item(DataType::UInt64), 2)), 2),
        DataType::LargeList(item(DataType::FixedSizeList(item(DataType::Float16), 2))),
        DataType::LargeList(item(DataType::LargeList(item(DataType::Int16)))),
    ] {
        let array = of(Field::new("a", outer.clone(), true));
        assert_eq!((array.data_type(), array.len(), array.null_count()), (&outer, 3, 1));
    }
    let empty = [shorts(&[2, 0], []), shorts(&[0, 0], [])];
    let ty = DataType::List(item(DataType::FixedSizeList(item(DataType::Int16), 0)));
    assert_eq!(wanted(&empty, Field::new("a", ty, true)).unwrap().len(), 2);
    let none = tensor(DataType::Int16, 0, r#"{"shape":[2,0]}"#);
    assert_eq!(wanted(&empty[..1], none).unwrap().len(), 1);
    assert_eq!(wanted(&[Value::Null], tensor(DataType::Utf8, 4, grid)).unwrap().len(), 1);
}

#[test]
fn arrays_that_do_not_fit_are_named() {
    let values = [Value::Null, shorts(&[2, 2], [1, 2, 3, 400])];
    let of = |field| refused(&values, field);
    let says = of(tensor(DataType::Int16, 4, r#"{"shape":[4]}"#));
    assert!(
        says.contains("column a: an array of shape [2, 2], value 0, can't be stored as a tensor"),
        "{says}"
    );
    let says = of(Field::new("a", lists(2, DataType::Int8), true));
    assert!(says.contains("column a: Int8 does not hold 400 exactly, in slot 3"), "{says}");
    let says = of(Field::new("a", lists(1, DataType::Int16), true));
    assert!(says.contains("an array of shape [2, 2], value 0, can't be stored as List"), "{says}");
    let ty = DataType::FixedSizeList(item(lists(1, DataType::Int16)), 3);
    let says = of(Field::new("a", ty, true));
    assert!(says.contains("an array of shape [2, 2], value 0, can't be stored as Fixed"), "{says}");
    let says = of(Field::new("a", lists(2, DataType::Utf8), true));
    assert!(says.contains("elements of int16 can't be stored as Utf8"), "{says}");
    let says = of(Field::new("a", lists(2, DataType::Boolean), true));
    assert!(says.contains("elements of int16 can't be stored as Boolean"), "{says}");
    let says = of(Field::new("a", DataType::Binary, true));
    assert!(says.contains("values of ndarray can't be stored as Binary"), "{says}");
    let says = of(tensor(DataType::Int16, 4, "x"));
    assert!(says.contains(FIXED) && says.contains("they are no JSON object"), "{says}");
    let half = [floats(&[1], [0.1])];
    let says = refused(&half, Field::new("a", lists(1, DataType::Float16), true));
    assert!(says.contains("Float16 does not hold 0.10000000149011612 exactly"), "{says}");
    let bits = [nd(ElementType::Bool, &[1], &[1])];
    let says = refused(&bits, Field::new("a", lists(1, DataType::Int8), true));
    assert!(says.contains("elements of bool are no numbers"), "{says}");
    // Few bytes that would be very many lists.
    let empty = [shorts(&[1 << 20, 0], [])];
    let says = refused(&empty, Field::new("a", lists(2, DataType::Int16), true));
    assert!(says.contains("more lists than its bytes allow"), "{says}");
}

#[test]
fn tensors_of_others_are_arrays() {
    let values: ArrayRef = Arc::new(Float32Array::from_iter_values((0..24).map(|v| v as f32)));
    let nulls = Some(NullBuffer::from(vec![true, false, true, true]));
    let array = of_size(6, values, nulls);
    let grid = |lengths: &[usize], first: u8, order: [u8; 6]| {
        floats(lengths, order.map(|at| f32::from(first + at)))
    };
    let plain = [0, 1, 2, 3, 4, 5];
    let read =
        |details: &str| values_of(tensor(DataType::Float32, 6, details), array.clone()).unwrap();
    let rows = |lengths: &[usize], order| {
        let of = |first| grid(lengths, first, order);
        [of(0), Value::Null, of(12), of(18)]
    };
    assert_eq!(read(r#"{"shape":[2,3]}"#), rows(&[2, 3], plain));
    assert_eq!(read(r#"{"shape":[6],"dim_names":["x"]}"#), rows(&[6], plain));
    assert_eq!(read(r#"{"shape":[1,6],"permutation":[0,1]}"#), rows(&[1, 6], plain));
    let turned = [0, 3, 1, 4, 2, 5];
    assert_eq!(read(r#"{"shape":[2,3],"permutation":[1,0]}"#), rows(&[3, 2], turned));
    let order = r#"{"permutation":[2,0,1],"shape":[2,1,3]}"#;
    assert_eq!(read(order), rows(&[3, 2, 1], turned));
    // A tensor without dimensions.
    let one = of_size(1, Arc::new(Int16Array::from(vec![1, 2])), None);
    let rows = values_of(tensor(DataType::Int16, 1, r#"{"shape":[]}"#), one).unwrap();
    assert_eq!(rows, [shorts(&[], [1]), shorts(&[], [2])]);
    let bits = BooleanArray::from(vec![true, false, false, true, true, true]);
    let rows = values_of(
        tensor(DataType::Boolean, 2, r#"{"shape":[2,1]}"#),
        of_size(2, Arc::new(bits), None),
    );
    let bit = |bytes| nd(ElementType::Bool, &[2, 1], bytes);
    assert_eq!(rows.unwrap(), [bit(&[1, 0]), bit(&[0, 1]), bit(&[1, 1])]);
}

#[test]
fn tensors_are_entries_and_runs() {
    let values = of_size(2, Arc::new(Int16Array::from(vec![1, 2, 3, 4])), None);
    let rows = [shorts(&[2, 1], [3, 4]), shorts(&[2, 1], [1, 2]), shorts(&[2, 1], [3, 4])];
    let keys = arrow_array::PrimitiveArray::<Int8Type>::from(vec![1, 0, 1]);
    let array = DictionaryArray::try_new(keys, values.clone()).unwrap();
    let field = extension(array.data_type().clone(), FIXED, r#"{"shape":[2,1]}"#);
    assert_eq!(values_of(field, Arc::new(array)).unwrap(), rows);
    let runs = RunArray::<Int32Type>::try_new(&Int32Array::from(vec![1, 3]), &values).unwrap();
    let DataType::RunEndEncoded(ends, _) = runs.data_type() else { panic!("no runs") };
    let of = tensor(DataType::Int16, 2, r#"{"shape":[2,1]}"#).with_name("values");
    let ty = DataType::RunEndEncoded(ends.clone(), Arc::new(of));
    let data = runs.to_data().into_builder().data_type(ty.clone()).build().unwrap();
    let array = Arc::new(RunArray::<Int32Type>::from(data));
    assert_eq!(
        values_of(Field::new("a", ty, true), array).unwrap(),
        [rows[1].clone(), rows[0].clone(), rows[0].clone()]
    );
}

#[test]
fn tensors_have_shapes_of_their_own() {
    let mut data = ListBuilder::new(Float32Builder::new());
    data.append_value([1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(Some));
    data.append_value([9.0].map(Some));
    data.append_value([7.0, 8.0].map(Some));
    data.append_value([]);
    let data = data.finish();
    let shapes = Int32Array::from(vec![2, 3, -1, 0, 1, 2, 5, 0]);
    let shapes = of_size(2, Arc::new(shapes), None);
    let of = |data: ListArray, shapes: ArrayRef, details: &str| {
        let fields: Fields = vec![
            Field::new("data", data.data_type().clone(), true),
            Field::new("shape", shapes.data_type().clone(), true),
        ]
        .into();
        let nulls = Some(NullBuffer::from(vec![true, false, true, true]));
        let array = StructArray::new(fields, vec![Arc::new(data), shapes], nulls);
        values_of(extension(array.data_type().clone(), VARIABLE, details), Arc::new(array))
    };
    let rows = of(data.clone(), shapes.clone(), "").unwrap();
    let first = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let expected =
        [floats(&[2, 3], first), Value::Null, floats(&[1, 2], [7.0, 8.0]), floats(&[5, 0], [])];
    assert_eq!(rows, expected);
    let turned = of(data.clone(), shapes.clone(), r#"{"permutation":[1,0],"uniform_shape":null}"#);
    assert_eq!(turned.unwrap()[0], floats(&[3, 2], [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]));
    let says = |shapes: Vec<Option<i32>>, details: &str| {
        let shapes = of_size(2, Arc::new(Int32Array::from(shapes)), None);
        of(data.clone(), shapes, details).unwrap_err().to_string()
    };
    let shape = |first| vec![Some(2), first, None, None, Some(1), Some(2), Some(0), Some(0)];
    let why = says(shape(Some(2)), "");
    assert!(why.contains("slot 0 has 6 elements, and its shape is [2, 2]"), "{why}");
    let why = says(shape(None), "");
    assert!(why.contains("a length in the shape of an array is null"), "{why}");
    let why = says(shape(Some(3)), r#"{"permutation":[0]}"#);
    assert!(why.contains("[0] is no permutation of 2 dimensions"), "{why}");
}

#[test]
fn tensors_that_are_none_are_refused() {
    let values: ArrayRef = Arc::new(Float32Array::from_iter_values((0..12).map(|v| v as f32)));
    let array = of_size(6, values, None);
    let why = |details: &str| {
        let field = tensor(DataType::Float32, 6, details);
        values_of(field, array.clone()).unwrap_err().to_string()
    };
    for (details, says) in [
        ("", "they are no JSON object"),
        ("{}", "they have no shape"),
        (r#"{"shape":null}"#, "they have no shape"),
        (r#"{"shape":[2,"3"]}"#, "shape is no list of integers"),
        (
            r#"{"shape":[2,2]}"#,
            "a tensor of this shape has 4 elements, and the column has lists of 6",
        ),
        (r#"{"shape":[-2,-3]}"#, "a length is negative"),
        (r#"{"shape":[0,4611686018427387904,4611686018427387904]}"#, "may not have 3 dimensions"),
        (r#"{"shape":[2,3],"permutation":[0,2]}"#, "[0, 2] is no permutation of 2 dimensions"),
        (r#"{"shape":[2,3],"permutation":[]}"#, "[] is no permutation of 2 dimensions"),
    ] {
        let why = why(details);
        assert!(why.contains("column a") && why.contains(FIXED) && why.contains(says), "{why}");
    }
    let nulls = Float32Array::from(vec![Some(1.0), Some(1.0), None, Some(1.0), Some(1.0), None]);
    let field = tensor(DataType::Float32, 2, r#"{"shape":[1,2]}"#);
    let below = |valid: Vec<bool>| {
        let nulls = of_size(2, Arc::new(nulls.clone()), Some(NullBuffer::from(valid)));
        values_of(field.clone(), nulls)
    };
    let why = below(vec![true, true, false]).unwrap_err().to_string();
    assert!(why.contains("column a") && why.contains("slot 1 has a null element"), "{why}");
    // What is below a null is not looked at.
    assert_eq!(below(vec![true, false, false]).unwrap()[0], floats(&[1, 2], [1.0, 1.0]));
    // Elements that serow does not know.
    let why = values_of(
        tensor(DataType::Date32, 1, r#"{"shape":[1]}"#),
        of_size(1, Arc::new(arrow_array::Date32Array::from(vec![1, 2])), None),
    );
    let why = why.unwrap_err().to_string();
    assert!(
        why.contains("serow does not know the extension type arrow.fixed_shape_tensor"),
        "{why}"
    );
}

#[test]
fn lists_that_are_no_arrays_are_refused() {
    let typed = |ty: DataType| {
        let metadata = HashMap::from([("serow.type".to_owned(), "ndarray?".to_owned())]);
        Field::new("a", ty, true).with_metadata(metadata)
    };
    let lists = |inner: Vec<Option<Vec<Option<i32>>>>, ends: &[i32]| {
        let inner = ListArray::from_iter_primitive::<Int32Type, _, _>(inner);
        let offsets = arrow_buffer::OffsetBuffer::new(ends.to_vec().into());
        let outer = ListArray::new(item(inner.data_type().clone()), offsets, Arc::new(inner), None);
        values_of(typed(outer.data_type().clone()), Arc::new(outer))
    };
    let two = || Some(vec![Some(1), Some(2)]);
    let rows = lists(vec![two(), two(), two()], &[0, 1, 3]).unwrap();
    let bytes: Vec<u8> = [1i32, 2, 1, 2].iter().flat_map(|v| v.to_le_bytes()).collect();
    assert_eq!(rows[1], nd(ElementType::I32, &[2, 2], &bytes));
    let why = lists(vec![two(), two(), Some(vec![Some(1)])], &[0, 1, 3]).unwrap_err().to_string();
    assert!(why.contains("slot 1 has lists of 2 and of 1 values"), "{why}");
    let why = lists(vec![two(), two(), None], &[0, 1, 3]).unwrap_err().to_string();
    assert!(why.contains("slot 1 has a null list"), "{why}");
    let null = Some(vec![Some(1), None]);
    let why = lists(vec![two(), two(), null], &[0, 1, 3]).unwrap_err().to_string();
    assert!(why.contains("slot 1 has a null element"), "{why}");
}

#[test]
fn components_that_are_no_array_are_refused() {
    let (field, array) =
        column(&[nd(ElementType::U8, &[], &[7]), nd(ElementType::Bool, &[1], &[1])]);
    let of = array.as_struct();
    let with = |at: usize, column: ArrayRef| {
        let mut columns = of.columns().to_vec();
        columns[at] = column;
        let array = StructArray::new(of.fields().clone(), columns, None);
        values_of(field.clone(), Arc::new(array)).unwrap_err().to_string()
    };
    let names = |first: &str| Arc::new(arrow_array::StringArray::from(vec![first, "bool"]));
    assert!(with(0, names("uint7")).contains("slot 0 has elements of the unknown type \"uint7\""));
    assert!(with(0, names(">uint8")).contains("unknown type \">uint8\""));
    assert!(with(0, names("int16")).contains("slot 0 has 1 bytes, and is an array of int16"));
    let data = |bytes: [&[u8]; 2]| Arc::new(arrow_array::BinaryArray::from_vec(bytes.to_vec()));
    assert!(with(2, data([&[1], &[2]])).contains("slot 1 has a bool that is neither 0 nor 1"));
    assert!(with(2, data([&[], &[1]])).contains("slot 0 has 0 bytes"));
}

#[test]
fn lists_become_tensors_that_somebody_wants() {
    let list = |of: &[i64]| Value::List(of.iter().map(|&v| Value::F64(v as f64)).collect());
    let grid = |rows: &[&[i64]]| Value::List(rows.iter().map(|of| list(of)).collect());
    let values = [grid(&[&[1, 2, 3], &[4, 5, 6]]), Value::Null, grid(&[&[7, 8, 9], &[10, 11, 12]])];
    let of = |details: &str| tensor(DataType::Int16, 6, details);
    let array = wanted(&values, of(r#"{"shape":[2,3]}"#)).unwrap();
    assert!(array.is_null(1));
    let rows = values_of(of(r#"{"shape":[2,3]}"#), array).unwrap();
    assert_eq!(rows, [shorts(&[2, 3], 1..7), Value::Null, shorts(&[2, 3], 7..13)]);
    // The elements of a tensor as one list.
    let flat = wanted(&[list(&[1, 2, 3, 4, 5, 6])], of(r#"{"shape":[2,3]}"#)).unwrap();
    assert_eq!(values_of(of(r#"{"shape":[2,3]}"#), flat).unwrap(), [shorts(&[2, 3], 1..7)]);
    let says = refused(&values, of(r#"{"shape":[3,2]}"#));
    assert!(says.contains("column a: a list has 2 elements, not 3"), "{says}");
    let says = refused(&values, of(r#"{"shape":[2,3,1]}"#));
    assert!(says.contains("values of [[f64]] can't be stored as a tensor of shape"), "{says}");
    let says = refused(&values, of(r#"{"shape":[2,3],"permutation":[1,0]}"#));
    assert!(says.contains("lists can't be stored as tensors with a permutation"), "{says}");
    let says = refused(&[grid(&[&[1, 2, 3], &[4, 5, 60_000]])], of(r#"{"shape":[2,3]}"#));
    assert!(says.contains("Int16 does not hold 60000 exactly, in slot 5"), "{says}");
}

#[test]
fn columns_of_few_arrays_are_no_tensors() {
    let large = shorts(&[100, 1000], vec![1; 100_000]);
    let rows = |nulls: usize, large: &Value| {
        let mut rows = vec![Value::Null; nulls];
        rows.push(large.clone());
        rows.into_iter().map(|v| Value::dict([("a", v)])).collect::<Vec<_>>()
    };
    let ty = |rows: &[Value], most| {
        let batches = made(rows, None, most).unwrap();
        assert_eq!(read(&batches).unwrap(), rows);
        let field = batches[0].schema().field(0).clone();
        (matches!(field.data_type(), DataType::FixedSizeList(..)), batches)
    };
    assert!(ty(&rows(20, &large), 100).0);
    let (is_tensor, batches) = ty(&rows(40, &large), 100);
    assert!(!is_tensor && batches[0].get_array_memory_size() < 1 << 20);
    // A batch of nulls before the one with the array.
    assert!(!ty(&rows(60, &large), 40).0);
    assert!(ty(&rows(60, &large), 10).0);
    assert!(ty(&rows(10_000, &shorts(&[4, 4], 0..16)), 65_536).0);
    // The same in lists, and in structs that are null.
    let mut lists = vec![Value::Null; 40];
    lists.push(large.clone());
    assert!(!matches!(column(&[Value::List(lists), Value::Null]).0.data_type(),
        DataType::List(item) if matches!(item.data_type(), DataType::FixedSizeList(..))));
    let of = |value: Value| Value::Tuple(vec![value, Value::I64(1)]);
    let mut structs = vec![Value::Null; 40];
    structs.push(of(large));
    let (field, _) = column(&structs);
    assert!(field.data_type().to_string().contains("List(non-null List("), "{field}");
    // Somebody who wants tensors gets them, unless they are very large.
    let field = tensor(DataType::Int16, 3_000_000, r#"{"shape":[3000,1000]}"#);
    let mut values = vec![Value::Null; 999];
    values.push(shorts(&[3000, 1000], vec![1; 3_000_000]));
    let says = refused(&values, field);
    assert!(says.contains("make batches of fewer rows"), "{says}");
}

/// An array of one of the shapes.
fn any_array(of: ElementType, shapes: Vec<Vec<usize>>) -> impl Strategy<Value = Value> {
    (prop::sample::select(shapes), any::<u8>(), prop::bool::weighted(0.1)).prop_map(
        move |(lengths, first, is_big_endian)| {
            let len = lengths.iter().product::<usize>() * of.size();
            let bytes: Vec<u8> = match of {
                ElementType::Bool => (0..len).map(|at| (at as u8 ^ first) & 1).collect(),
                _ => (0..len).map(|at| first.wrapping_add(at as u8)).collect(),
            };
            match is_big_endian && first > 250 {
                true => big_endian(of, &lengths, &bytes),
                false => nd(of, &lengths, &bytes),
            }
        },
    )
}

fn columns() -> impl Strategy<Value = Vec<Value>> {
    let of = prop::sample::select(ElementType::ALL.to_vec());
    let shapes = (1usize..4).prop_flat_map(|dimensions| {
        let shape = prop::collection::vec(0usize..4, dimensions);
        prop::collection::vec(shape, 1..3)
    });
    (of, shapes).prop_flat_map(|(of, shapes)| {
        let array = any_array(of, shapes).boxed();
        let optional = prop::option::of(array.clone()).prop_map(Value::from);
        let list = prop::collection::vec(optional.clone(), 0..3).prop_map(Value::List);
        let row = (array, optional, list).prop_map(|(array, optional, list)| {
            Value::dict([("a", array), ("b", optional), ("c", list)])
        });
        prop::collection::vec(row, 1..30)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn columns_of_arrays_come_back(rows in columns(), most in 1usize..40) {
        let batches = made(&rows, None, most).unwrap();
        prop_assert_eq!(&read(&batches).unwrap(), &rows);
        let tail = batches[0].slice(1, batches[0].num_rows() - 1);
        if tail.num_rows() > 0 {
            prop_assert_eq!(&read(&[tail]).unwrap(), &rows[1..batches[0].num_rows()]);
        }
    }
}
