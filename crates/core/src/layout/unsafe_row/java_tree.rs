//! Java's `HashMap` where keys crowd into one bucket.
//!
//! A ninth key in a bucket doubles a map of fewer than 64 buckets, and otherwise makes the bucket a
//! red-black tree. The keys of a tree are still a list, which is what one sees of it: but a new key comes behind its parent
//! in the tree, and the tree's root comes first. So the order can only be had by growing the trees.

use std::cmp::Ordering;

use super::java_map::{JavaKey, most_keys};

/// A bucket with so many keys is changed by one more.
pub(super) const MOST_IN_CHAIN: usize = 8;
/// A tree whose half has so many keys or fewer, when the map grows, is a chain again.
const MOST_UNTREED: usize = 6;
/// With fewer buckets than that the map grows before there are trees.
const FEWEST_WITH_TREES: usize = 64;

/// No key.
const NONE: u32 = u32::MAX;

/// The places of `keys`, which have these hashes, in the order of a map that has so many `buckets` at first.
pub fn order(hashes: &[i32], keys: &[JavaKey<'_>], buckets: usize, order: &mut Vec<u32>) {
    let mut map = Map {
        hashes,
        keys,
        nodes: vec![Node::default(); hashes.len()],
        first: vec![NONE; buckets],
    };
    for key in 0..hashes.len() as u32 {
        map.insert(key);
    }
    for &first in &map.first {
        order.extend(map.list(first));
    }
}

/// A key in its bucket.
#[derive(Clone, Copy)]
struct Node {
    /// Its neighbours in the bucket's list.
    next: u32,
    previous: u32,
    /// Its place in the bucket's tree, if that is one.
    parent: u32,
    children: [u32; 2],
    is_red: bool,
    is_in_tree: bool,
}

impl Default for Node {
    fn default() -> Node {
        Node {
            next: NONE,
            previous: NONE,
            parent: NONE,
            children: [NONE; 2],
            is_red: false,
            is_in_tree: false,
        }
    }
}

const LEFT: usize = 0;
const RIGHT: usize = 1;

struct Map<'a> {
    hashes: &'a [i32],
    keys: &'a [JavaKey<'a>],
    nodes: Vec<Node>,
    /// The first key of each bucket.
    first: Vec<u32>,
}

impl Map<'_> {
    fn node(&mut self, key: u32) -> &mut Node {
        &mut self.nodes[key as usize]
    }

    fn is_red(&self, key: u32) -> bool {
        key != NONE && self.nodes[key as usize].is_red
    }

    /// The hash as the map uses it, whose upper half has a say in the lower.
    fn hash(&self, key: u32) -> i32 {
        super::java_map::spread(self.hashes[key as usize])
    }

    fn bucket(&self, key: u32) -> usize {
        self.hash(key) as usize & (self.first.len() - 1)
    }

    /// The keys of a list from this one on.
    fn list(&self, first: u32) -> impl Iterator<Item = u32> {
        let known = |key: u32| (key != NONE).then_some(key);
        std::iter::successors(known(first), move |&key| known(self.nodes[key as usize].next))
    }

    fn insert(&mut self, key: u32) {
        let bucket = self.bucket(key);
        let first = self.first[bucket];
        if first == NONE {
            self.first[bucket] = key;
        } else if self.nodes[first as usize].is_in_tree {
            self.insert_into_tree(key, self.root(first));
        } else {
            let (count, last) = self.list(first).fold((0, first), |(n, _), key| (n + 1, key));
            self.node(last).next = key;
            if count >= MOST_IN_CHAIN && self.first.len() < FEWEST_WITH_TREES {
                self.grow();
            } else if count >= MOST_IN_CHAIN {
                self.make_tree(first);
            }
        }
        if key as usize + 1 > most_keys(self.first.len()) {
            self.grow();
        }
    }

    /// Put the key, which is in the list or will be, below the leaf where it belongs, which is given.
    fn hang(&mut self, key: u32, root: u32) -> u32 {
        let mut at = root;
        loop {
            let by_hash = self.hash(key).cmp(&self.hash(at));
            let by_key = || self.keys[key as usize].compare(&self.keys[at as usize]);
            let side = if by_hash.then_with(by_key) == Ordering::Greater { RIGHT } else { LEFT };
            let child = self.node(at).children[side];
            if child == NONE {
                self.node(at).children[side] = key;
                self.node(key).parent = at;
                return at;
            }
            at = child;
        }
    }

    fn insert_into_tree(&mut self, key: u32, root: u32) {
        let parent = self.hang(key, root);
        let next = self.node(parent).next;
        self.node(parent).next = key;
        *self.node(key) =
            Node { next, previous: parent, parent, is_in_tree: true, ..Node::default() };
        if next != NONE {
            self.node(next).previous = key;
        }
        let root = self.balance(root, key);
        self.move_to_front(root);
    }

    /// Make a tree of a list.
    fn make_tree(&mut self, first: u32) {
        let keys: Vec<u32> = self.list(first).collect();
        let mut previous = NONE;
        for &key in &keys {
            let next = self.node(key).next;
            *self.node(key) = Node { next, previous, is_in_tree: true, ..Node::default() };
            previous = key;
        }
        let mut root = first;
        for &key in &keys[1..] {
            self.hang(key, root);
            root = self.balance(root, key);
        }
        self.move_to_front(root);
    }

    fn root(&self, key: u32) -> u32 {
        let parent = |&key: &u32| Some(self.nodes[key as usize].parent).filter(|&up| up != NONE);
        std::iter::successors(Some(key), parent).last().unwrap_or(key)
    }

    fn move_to_front(&mut self, root: u32) {
        let bucket = self.bucket(root);
        let first = self.first[bucket];
        if first == root {
            return;
        }
        let Node { next, previous, .. } = *self.node(root);
        if next != NONE {
            self.node(next).previous = previous;
        }
        if previous != NONE {
            self.node(previous).next = next;
        }
        self.node(first).previous = root;
        (self.node(root).next, self.node(root).previous) = (first, NONE);
        self.first[bucket] = root;
    }

    /// Double the buckets. What was in one goes to two, in the same order.
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.first);
        self.first = vec![NONE; 2 * old.len()];
        for first in old.iter().copied().filter(|&first| first != NONE) {
            let was_tree = self.nodes[first as usize].is_in_tree;
            let all: Vec<u32> = self.list(first).collect();
            let (upper, lower): (Vec<u32>, Vec<u32>) =
                all.into_iter().partition(|&key| self.bucket(key) >= old.len());
            let is_split = !upper.is_empty() && !lower.is_empty();
            for half in [lower, upper] {
                self.link(&half, was_tree && half.len() > MOST_UNTREED, is_split);
            }
        }
    }

    /// Have these keys be a bucket's: a tree, or a chain. A tree that lost no key stays as it is.
    fn link(&mut self, keys: &[u32], is_tree: bool, is_split: bool) {
        let Some(&first) = keys.first() else { return };
        let bucket = self.bucket(first);
        self.first[bucket] = first;
        if is_tree && !is_split {
            return;
        }
        for (at, &key) in keys.iter().enumerate() {
            let next = keys.get(at + 1).copied().unwrap_or(NONE);
            *self.node(key) = Node { next, ..Node::default() };
        }
        if is_tree {
            self.make_tree(first);
        }
    }

    /// Turn the tree at `at` so that its child on the other side takes its place; the root of all.
    fn rotate(&mut self, root: u32, at: u32, side: usize) -> u32 {
        let child = self.node(at).children[1 - side];
        let inner = self.node(child).children[side];
        self.node(at).children[1 - side] = inner;
        if inner != NONE {
            self.node(inner).parent = at;
        }
        let parent = self.node(at).parent;
        self.node(child).parent = parent;
        self.node(child).children[side] = at;
        self.node(at).parent = child;
        if parent == NONE {
            return child;
        }
        let of_parent = &mut self.node(parent).children;
        let was = if of_parent[LEFT] == at { LEFT } else { RIGHT };
        of_parent[was] = child;
        root
    }

    /// Have the tree be red and black again after `key` was hung into it; the root.
    fn balance(&mut self, mut root: u32, key: u32) -> u32 {
        let mut at = key;
        self.node(at).is_red = true;
        loop {
            let mut parent = self.node(at).parent;
            if parent == NONE {
                self.node(at).is_red = false;
                return at;
            }
            let above = self.node(parent).parent;
            if !self.is_red(parent) || above == NONE {
                return root;
            }
            let side = if self.node(above).children[LEFT] == parent { LEFT } else { RIGHT };
            let uncle = self.node(above).children[1 - side];
            if self.is_red(uncle) {
                self.node(uncle).is_red = false;
                self.node(parent).is_red = false;
                self.node(above).is_red = true;
                at = above;
                continue;
            }
            if self.node(parent).children[1 - side] == at {
                root = self.rotate(root, parent, side);
                (at, parent) = (parent, at);
            }
            self.node(parent).is_red = false;
            self.node(above).is_red = true;
            root = self.rotate(root, above, 1 - side);
        }
    }
}
