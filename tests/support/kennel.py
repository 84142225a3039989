"""A game with records, card texts, shared windows, modes and all forms of claims, as spec text."""

KENNEL = """
game: kennel
title: Kennel
about: dogs that bark at each other
players: {min: 2, max: 3, default: 2, called: Keeper, clause: k.players}
constants: {room: {value: 2, clause: k.room}}
enums: {mood: [calm, wild]}
families:
  dog: {attributes: {bite: "int 0..3", mood: mood, wild_at: "mood?", loud: bool}}
cards:
  dog:
    pug: {name: Pug, copies: 3, bite: 1, mood: calm, wild_at: none, loud: False, assumed: all}
    wolf:
      name: Wolf
      copies: 2
      bite: 3
      mood: wild
      wild_at: wild
      loud: True
      abilities: {howl: "bones[active] += 1"}
      clause: k.players
zones:
  pack: {holds: dog, kind: deck, seen_by: none, starts: all}
  leash: {holds: dog, kind: bag, per: player, seen_by: owner, clause: k.room}
  gone: {holds: dog, kind: bag, seen_by: all}
state:
  active: {type: player, start: 1}
  bones: {type: "int 0..9", per: player, start: 0, clause: k.players}
  rounds: {type: "int 0..3", start: 0}
  barking: {type: players, start: []}
  night: {type: bool, start: False}
pools:
  yard: {per: player, capacity: 2, fields: {card: card dog, hurt: "int 0..3"}, clause: k.room}
  street: {capacity: 1, fields: {card: card dog}}
steps: {game: {title: A day}, round: {title: A round, params: {n: int 0..3}}}
windows:
  walk: {who: players, order: clockwise, from: active, each: once, done: stay at home}
  bark: {title: Barking, by: active, forced: true, clause: k.bark}
  growl: {who: others(active), order: unstated, each: rounds, done: be quiet}
start: game
score: bones[p]
vocabulary:
  bone: {means: what a keeper is paid with, clause: k.players}
  reward: {same_as: bone}
variants:
  nightly: {title: everything happens at night, clause: k.mode}
scopes:
  one: {about: one of each, players: 2, cards: {dog: {pug: 1, wolf: 1}}}
  printed: {}
clauses:
- {id: k.players, kind: define, says: two or three keepers, uses: [bone, reward]}
- {id: k.room, kind: limit, says: two dogs at most on a leash, always: "all(size(leash[p]) <= room for p in players)"}
- {id: k.day, kind: order, says: three rounds, on: game, do: "while rounds < 3:\\n  rounds += 1\\n  round(rounds)"}
- id: k.draw
  kind: effect
  says: each keeper takes a dog, which may howl
  on: round
  do: |
    for p in players:
      if size(pack) > 0 and size(leash[p]) < room and n >= 0:
        got = draw(pack, leash[p])
        got.howl()
- {id: k.walk, kind: effect, says: then there are walks, on: round, after: [k.draw], do: "walk()\\nbark()\\ngrowl()"}
- id: k.out
  kind: permit
  says: a dog may go to the yard
  on: walk
  option: let_out
  with: {card: "c for c in leash[actor]"}
  when: count(r for r in yard[actor]) < 2
  do: |
    move(card, leash[actor], gone)
    new(yard[actor], card=card, hurt=0)
- id: k.home
  kind: require
  says: a wild one has to go out
  on: walk
  must: let_out
  when: any(c.mood == wild and c.wild_at == wild and c.loud for c in leash[actor]) and count(r for r in yard[actor]) < 2
- {id: k.bark, kind: permit, says: a keeper says how often, on: bark, option: say, with: {times: "range(0, 2)"}, do: "bones[actor] += times"}
- {id: k.quiet, kind: forbid, says: never at night, on: growl.snarl, when: night}
- id: k.snarl
  kind: permit
  says: others may snarl at a dog in a yard
  on: growl
  option: snarl
  with: {r: "r for r in yard[active]"}
  do: |
    r.hurt += 1
    barking = barking | {actor}
- id: k.hurt
  kind: effect
  says: a dog that is hurt runs away at once
  whenever: any(any(r.hurt > 1 for r in yard[p]) for p in players)
  timing: at once
  do: |
    for p in players:
      for r in yard[p]:
        if r.hurt > 1 and count(s for s in street) < 1:
          new(street, card=r.card)
          remove(r)
- {id: k.mode, kind: variant, says: it may be played at night}
- {id: k.dark, kind: effect, says: then it is dark, only_in: [nightly], on: round, before: [k.draw], do: night = True}
- {id: k.none, kind: claim, says: never four bones and no dog, never: "any(bones[p] > 8 and size(leash[p]) == 0 for p in players) and size(pack) > 4"}
- id: k.most
  kind: claim
  says: at most six bites on a leash
  maximum: a + b
  given: {a: {type: int 0..3}, b: {type: int 0..3, per: player}}
  such_that: a > 0
  equals: "6"
- {id: k.seen, kind: claim, says: it happens, reachable: size(gone) > 0}
- id: k.walked
  kind: example
  says: a walk without a dog
  example:
    players: 2
    at: walk
    state: {active: Keeper 1}
    moves: [{stay at home: {}}]
- {id: k.end, kind: limit, says: the round ends with few bites on the leash, on: round, ensure: "all(sum(c.bite for c in leash[p]) <= 3 * room for p in players)"}
"""  # noqa: E501
