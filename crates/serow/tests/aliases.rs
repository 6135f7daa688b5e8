//! serde's aliases read fields and variants by their former names.

use serde::{Deserialize, Serialize};

#[test]
fn aliases_are_former_names_of_fields_and_variants_at_any_depth() {
    #[derive(Serialize)]
    struct Addr {
        street: String,
    }
    #[derive(Serialize)]
    enum Colour {
        Red,
        Blue,
    }
    #[derive(Serialize)]
    struct Account {
        login: String,
        homes: Vec<Addr>,
        colors: Vec<Colour>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Address {
        #[serde(rename = "line", alias = "street")]
        text: String,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Color {
        Blue,
        #[serde(alias = "Rose", alias = "Red")]
        Crimson,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct User {
        colors: Vec<Color>,
        homes: Vec<Address>,
        #[serde(alias = "nick", alias = "login")]
        username: String,
    }
    let account = |name: &str, street: &str| Account {
        login: name.into(),
        homes: vec![Addr { street: street.into() }],
        colors: vec![Colour::Red, Colour::Blue],
    };
    let user = |name: &str, street: &str| User {
        colors: vec![Color::Crimson, Color::Blue],
        homes: vec![Address { text: street.into() }],
        username: name.into(),
    };
    let message = serow::serde::to_vec(&[account("a", "x"), account("b", "y")]).unwrap();
    let read: Vec<User> = serow::serde::from_slice(&message).unwrap();
    assert_eq!(read, [user("a", "x"), user("b", "y")]);

    // serde's code decides what a field is that rows have by two of its names.
    #[derive(Serialize)]
    struct Both {
        username: String,
        login: String,
    }
    #[derive(Debug, Deserialize)]
    struct Named {
        #[serde(alias = "login")]
        #[allow(dead_code, reason = "it is never made")]
        username: String,
    }
    let both = Both { username: "a".into(), login: "b".into() };
    let error =
        serow::serde::from_slice::<Named>(&serow::serde::to_vec(&[both]).unwrap()).unwrap_err();
    assert!(error.message().contains("duplicate field `username`"), "{error}");
}
