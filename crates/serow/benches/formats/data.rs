//! Rows with the fields and the distributions of the data sets `log`, `mesh`, `minecraft_savedata` and
//! `mk48` of rust_serialization_benchmark.

use serde::{Deserialize, Serialize};

use crate::random::Random;

macro_rules! data {
    ($($(#[$doc:meta])* struct $name:ident { $($field:ident: $ty:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Debug, PartialEq, Serialize, Deserialize, bitcode::Encode, bitcode::Decode,
            bincode::Encode, bincode::Decode, serow::Row,
        )]
        pub struct $name {
            $($field: $ty,)*
        }
    )*};
}

data! {
    struct Address { x0: u8, x1: u8, x2: u8, x3: u8, }
    /// A line of a web server's log.
    struct Log {
        address: Address, identity: String, userid: String, date: String, request: String,
        code: u16, size: u64,
    }
    struct Vector3 { x: f32, y: f32, z: f32, }
    struct Triangle { v0: Vector3, v1: Vector3, v2: Vector3, normal: Vector3, }
    struct Item { count: i8, slot: u8, id: String, }
    struct Abilities {
        walk_speed: f32, fly_speed: f32, may_fly: bool, flying: bool, invulnerable: bool,
        may_build: bool, instabuild: bool,
    }
    struct Entity {
        id: String, pos: (f64, f64, f64), motion: (f64, f64, f64), rotation: (f32, f32),
        fall_distance: f32, fire: u16, air: u16, on_ground: bool, no_gravity: bool,
        invulnerable: bool, portal_cooldown: i32, uuid: [u32; 4], custom_name: Option<String>,
        custom_name_visible: bool, silent: bool, glowing: bool,
    }
    struct RecipeBook {
        recipes: Vec<String>, to_be_displayed: Vec<String>, is_filtering_craftable: bool,
        is_gui_open: bool, is_furnace_filtering_craftable: bool, is_furnace_gui_open: bool,
        is_blasting_furnace_filtering_craftable: bool, is_blasting_furnace_gui_open: bool,
        is_smoker_filtering_craftable: bool, is_smoker_gui_open: bool,
    }
    struct Player {
        game_type: GameType, previous_game_type: GameType, score: i64, dimension: String,
        selected_item_slot: u32, selected_item: Item, spawn_dimension: Option<String>,
        spawn_x: i64, spawn_y: i64, spawn_z: i64, spawn_forced: Option<bool>, sleep_timer: u16,
        food_exhaustion_level: f32, food_saturation_level: f32, food_tick_timer: u32,
        xp_level: u32, xp_p: f32, xp_total: i32, xp_seed: i32, inventory: Vec<Item>,
        ender_items: Vec<Item>, abilities: Abilities,
        entered_nether_position: Option<(f64, f64, f64)>,
        root_vehicle: Option<([u32; 4], Entity)>, shoulder_entity_left: Option<Entity>,
        shoulder_entity_right: Option<Entity>, seen_credits: bool, recipe_book: RecipeBook,
    }
    /// A row with a few numbers.
    struct Small { id: u32, score: f64, is_new: bool, name: String, }
    struct Line { article: u32, count: u16, price: f64, note: Option<String>, }
    struct Customer { id: u64, name: String, city: String, }
    /// A row with rows in it.
    struct Order { id: u64, customer: Customer, lines: Vec<Line>, is_paid: bool, }
    struct Transform { altitude: i8, angle: u16, position: (f32, f32), velocity: i16, }
    struct Guidance { angle: u16, submerge: bool, velocity: i16, }
    struct Contact {
        damage: u8, entity_id: u32, entity_type: Option<EntityType>, guidance: Guidance,
        player_id: Option<u16>, reloads: Vec<bool>, transform: Transform, turret_angles: Vec<u16>,
    }
    struct TerrainUpdate { chunk_id: (i8, i8), data: Vec<u8>, }
    /// What a game's server sends to one player.
    struct Update {
        contacts: Vec<Contact>, score: u32, world_radius: f32, terrain_updates: Vec<TerrainUpdate>,
    }
}

#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Serialize,
    Deserialize,
    bitcode::Encode,
    bitcode::Decode,
    bincode::Encode,
    bincode::Decode,
    serow::Row,
)]
pub enum GameType {
    Survival,
    Creative,
    Adventure,
    Spectator,
}

#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Serialize,
    Deserialize,
    bitcode::Encode,
    bitcode::Decode,
    bincode::Encode,
    bincode::Decode,
    serow::Row,
)]
pub enum EntityType {
    ArleighBurke,
    Bismarck,
    Clemenceau,
    Fletcher,
    G5,
    Iowa,
    Kolkata,
    Osa,
    Yasen,
    Zubr,
}

const USERS: &[&str] =
    &["-", "alice", "bob", "carmen", "david", "eric", "frank", "george", "harry"];
const MONTHS: &[&str] =
    &["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const METHODS: &[&str] = &["GET", "POST", "PUT", "UPDATE", "DELETE"];
const ROUTES: &[&str] = &[
    "/favicon.ico",
    "/css/index.css",
    "/css/font-awsome.min.css",
    "/img/logo-full.svg",
    "/img/splash.jpg",
    "/api/login",
    "/api/logout",
];
const PROTOCOLS: &[&str] = &["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"];
/// Ranges of the status codes of HTTP.
const CODES: &[(i64, i64)] =
    &[(100, 104), (200, 209), (226, 227), (300, 309), (400, 419), (421, 432), (500, 512)];

pub fn log(random: &mut Random) -> Log {
    let byte = |random: &mut Random| random.bits() as u8;
    let address =
        Address { x0: byte(random), x1: byte(random), x2: byte(random), x3: byte(random) };
    let zone = random.within(-12, 13);
    let date = format!(
        "{}/{}/{}:{}:{}:{} {}{:02}00",
        random.within(1, 29),
        random.of(MONTHS),
        random.within(1970, 2022),
        random.within(0, 24),
        random.within(0, 60),
        random.within(0, 60),
        if zone < 0 { "-" } else { "+" },
        zone.abs()
    );
    let request = format!("{} {} {}", random.of(METHODS), random.of(ROUTES), random.of(PROTOCOLS));
    let (low, high) = random.of(CODES);
    Log {
        address,
        identity: "-".to_string(),
        userid: random.text(USERS),
        date,
        request,
        code: random.within(low, high) as u16,
        size: random.within(0, 100_000_000) as u64,
    }
}

pub fn triangle(random: &mut Random) -> Triangle {
    let mut point = || Vector3 { x: random.f32(), y: random.f32(), z: random.f32() };
    Triangle { v0: point(), v1: point(), v2: point(), normal: point() }
}

const ITEMS: &[&str] =
    &["dirt", "stone", "pickaxe", "sand", "gravel", "shovel", "chestplate", "steak"];
const ANIMALS: &[&str] =
    &["cow", "sheep", "zombie", "skeleton", "spider", "creeper", "parrot", "bee"];
const NAMES: &[&str] =
    &["rainbow", "princess", "steve", "johnny", "missy", "coward", "fairy", "howard"];
const RECIPES: &[&str] =
    &["pickaxe", "torch", "bow", "crafting table", "furnace", "shears", "arrow", "tnt"];
const DIMENSIONS: &[&str] = &["overworld", "nether", "end"];
const GAME_TYPES: &[GameType] =
    &[GameType::Survival, GameType::Creative, GameType::Adventure, GameType::Spectator];

fn item(random: &mut Random) -> Item {
    Item { count: random.bits() as i8, slot: random.bits() as u8, id: random.text(ITEMS) }
}

fn point(random: &mut Random) -> (f64, f64, f64) {
    (random.f64(), random.f64(), random.f64())
}

fn uuid(random: &mut Random) -> [u32; 4] {
    std::array::from_fn(|_| random.bits() as u32)
}

fn entity(random: &mut Random) -> Entity {
    Entity {
        id: random.text(ANIMALS),
        pos: point(random),
        motion: point(random),
        rotation: (random.f32(), random.f32()),
        fall_distance: random.f32(),
        fire: random.bits() as u16,
        air: random.bits() as u16,
        on_ground: random.bool(),
        no_gravity: random.bool(),
        invulnerable: random.bool(),
        portal_cooldown: random.bits() as i32,
        uuid: uuid(random),
        custom_name: random.maybe(|random| random.text(NAMES)),
        custom_name_visible: random.bool(),
        silent: random.bool(),
        glowing: random.bool(),
    }
}

pub fn player(random: &mut Random) -> Player {
    Player {
        game_type: random.of(GAME_TYPES),
        previous_game_type: random.of(GAME_TYPES),
        score: random.bits() as i64,
        dimension: random.text(DIMENSIONS),
        selected_item_slot: random.bits() as u32,
        selected_item: item(random),
        spawn_dimension: random.maybe(|random| random.text(DIMENSIONS)),
        spawn_x: random.bits() as i64,
        spawn_y: random.bits() as i64,
        spawn_z: random.bits() as i64,
        spawn_forced: random.maybe(Random::bool),
        sleep_timer: random.bits() as u16,
        food_exhaustion_level: random.f32(),
        food_saturation_level: random.f32(),
        food_tick_timer: random.bits() as u32,
        xp_level: random.bits() as u32,
        xp_p: random.f32(),
        xp_total: random.bits() as i32,
        xp_seed: random.bits() as i32,
        inventory: random.some(40, item),
        ender_items: random.some(27, item),
        abilities: Abilities {
            walk_speed: random.f32(),
            fly_speed: random.f32(),
            may_fly: random.bool(),
            flying: random.bool(),
            invulnerable: random.bool(),
            may_build: random.bool(),
            instabuild: random.bool(),
        },
        entered_nether_position: random.maybe(point),
        root_vehicle: random.maybe(|random| (uuid(random), entity(random))),
        shoulder_entity_left: random.maybe(entity),
        shoulder_entity_right: random.maybe(entity),
        seen_credits: random.bool(),
        recipe_book: RecipeBook {
            recipes: random.some(30, |random| random.text(RECIPES)),
            to_be_displayed: random.some(10, |random| random.text(RECIPES)),
            is_filtering_craftable: random.bool(),
            is_gui_open: random.bool(),
            is_furnace_filtering_craftable: random.bool(),
            is_furnace_gui_open: random.bool(),
            is_blasting_furnace_filtering_craftable: random.bool(),
            is_blasting_furnace_gui_open: random.bool(),
            is_smoker_filtering_craftable: random.bool(),
            is_smoker_gui_open: random.bool(),
        },
    }
}

/// For each type of ship: how often it occurs, and its numbers of turrets and weapons.
const SHIPS: &[(EntityType, f64, usize, usize)] = &[
    (EntityType::ArleighBurke, 2.14, 1, 20),
    (EntityType::Bismarck, 0.52, 4, 10),
    (EntityType::Clemenceau, 0.97, 4, 16),
    (EntityType::Fletcher, 1.46, 4, 18),
    (EntityType::G5, 13.16, 0, 2),
    (EntityType::Iowa, 1.55, 3, 28),
    (EntityType::Kolkata, 0.83, 1, 15),
    (EntityType::Osa, 7.25, 2, 6),
    (EntityType::Yasen, 4.06, 0, 14),
    (EntityType::Zubr, 12.92, 3, 11),
];

fn velocity(random: &mut Random) -> i16 {
    match random.within(0, 100) {
        0..=79 => random.within(140, 900) as i16,
        80..=89 => 0,
        _ => random.within(-225, -35) as i16,
    }
}

fn contact(random: &mut Random, players: i64) -> Contact {
    let total: f64 = SHIPS.iter().map(|ship| ship.1).sum();
    let mut left = random.f64() * total;
    let mut ships = SHIPS.iter();
    let &(ship, _, turrets, weapons) = loop {
        let ship = ships.next().unwrap_or(&SHIPS[0]);
        left -= ship.1;
        if left < 0.0 {
            break ship;
        }
    };
    let is_below = |random: &mut Random| ship == EntityType::Yasen && random.chance(0.9);
    let is_visible = random.chance(0.7);
    let damage = if is_visible && random.chance(0.6) { 0 } else { random.within(0, 200) as u8 };
    let (loaded, base) = (random.f64(), random.bits() as u16);
    Contact {
        damage,
        entity_id: random.within(0, players * 20) as u32,
        entity_type: is_visible.then_some(ship),
        guidance: Guidance {
            angle: random.bits() as u16,
            submerge: is_below(random),
            velocity: velocity(random),
        },
        player_id: is_visible.then(|| random.within(0, players) as u16),
        reloads: (0..if is_visible { weapons } else { 0 }).map(|_| random.chance(loaded)).collect(),
        transform: Transform {
            altitude: if is_below(random) { random.within(-120, -35) as i8 } else { 0 },
            angle: random.bits() as u16,
            position: (random.f32() * 1500.0 - 750.0, random.f32() * 1500.0 - 750.0),
            velocity: velocity(random),
        },
        turret_angles: (0..if is_visible { turrets } else { 0 })
            .map(|_| match random.chance(0.75) {
                true => base.wrapping_add(random.within(-200, 200) as u16),
                false => random.bits() as u16,
            })
            .collect(),
    }
}

pub fn update(random: &mut Random) -> Update {
    let players = random.within(200, 400);
    let world_radius = (players as f32 * 15000.0).sqrt() + random.f32() * 100.0 - 50.0;
    let radius = (world_radius / 1600.0).ceil() as i64;
    let contacts = random.within(20, 40);
    let terrain_updates = random.within(3, 10);
    Update {
        contacts: (0..contacts).map(|_| contact(random, players)).collect(),
        score: (random.f32().powi(4) * 5000.0) as u32 + random.within(0, 50) as u32,
        world_radius,
        terrain_updates: (0..terrain_updates)
            .map(|_| {
                let len = match random.chance(0.02) {
                    true => random.within(900, 1100),
                    false => random.within(3, 9),
                };
                TerrainUpdate {
                    chunk_id: (
                        random.within(-radius, radius) as i8,
                        random.within(-radius, radius) as i8,
                    ),
                    data: (0..len).map(|_| random.bits() as u8).collect(),
                }
            })
            .collect(),
    }
}

fn word(random: &mut Random) -> String {
    let len = random.within(3, 20);
    (0..len).map(|_| random.within(97, 123) as u8 as char).collect()
}

pub fn small(random: &mut Random) -> Small {
    let (id, score, is_new) = (random.within(0, 1 << 20) as u32, random.f64(), random.bool());
    Small { id, score, is_new, name: word(random) }
}

fn line(random: &mut Random) -> Line {
    let (article, count) = (random.within(0, 100_000) as u32, random.within(1, 20) as u16);
    Line { article, count, price: random.f64() * 100.0, note: random.maybe(word) }
}

/// An order with three lines.
pub fn order(random: &mut Random) -> Order {
    let customer =
        Customer { id: random.within(0, 1 << 40) as u64, name: word(random), city: word(random) };
    let lines = (0..3).map(|_| line(random)).collect();
    Order { id: random.within(0, 1 << 40) as u64, customer, lines, is_paid: random.bool() }
}

pub fn floats(random: &mut Random) -> Vec<f32> {
    (0..256).map(|_| random.f32()).collect()
}

pub fn strings(random: &mut Random) -> Vec<String> {
    (0..20).map(|_| word(random)).collect()
}

pub fn bytes(random: &mut Random) -> Vec<u8> {
    (0..1000).map(|_| random.bits() as u8).collect()
}
