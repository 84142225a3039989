// Plays the compiled rules: the module lists the moves of a state, with the state after each.
async function playable(about) {
  const packed = Uint8Array.from(atob(about.code), (letter) => letter.charCodeAt(0));
  const code = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
  const { instance } = await WebAssembly.instantiate(await code.arrayBuffer(), {});
  const { start, expand, memory } = instance.exports;
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length).slice();
  const write = (at, some) => new Uint8Array(memory.buffer).set(some, at);
  const number = (view, at, width) => (width === 1 ? view.getUint8(at) : width === 2 ? view.getUint16(at, true) : view.getUint32(at, true));
  const viewOf = (some) => new DataView(some.buffer, some.byteOffset, some.byteLength);
  write(about.configuration[0], Uint8Array.from(about.configuration[1]));

  function named(domain, value) {
    if (domain.kind === "bool" && (value === 0 || value === 1)) return value === 1;
    if (value === -1 && (domain.kind !== "int" || domain.low > -1)) return null;
    const at = value - domain.low;
    return at >= 0 && at < domain.names.length ? domain.names[at] : value;
  }

  function shown(array, values, dim) {
    if (dim === array.dims.length) return named(array.domain, values[0]);
    const axis = array.axes[dim] || { names: [], low: 0 }, last = dim === array.dims.length - 1;
    if (array.zone === "pile" && last) return values.filter((card) => card >= 0).map((card) => named(array.domain, card));
    const keys = Array.from({ length: array.dims[dim] }, (_, i) => (i < axis.names.length ? axis.names[i] : String(axis.low + i)));
    if (array.zone && last) return Object.fromEntries(keys.map((key, i) => [key, values[i]]).filter(([, count]) => count));
    const row = values.length / array.dims[dim];
    const parts = keys.map((_, i) => shown(array, values.slice(i * row, (i + 1) * row), dim + 1));
    return axis.names.length ? Object.fromEntries(keys.map((key, i) => [key, parts[i]])) : parts;
  }

  // What lies on the table, by the names of the spec.
  function table(state) {
    const view = viewOf(state);
    return Object.fromEntries(about.arrays.map((array) => {
      const size = array.dims.reduce((all, one) => all * one, 1);
      const values = Array.from({ length: size }, (_, i) => number(view, array.at + i * array.width, array.width) + array.low);
      return [array.name, shown(array, values, 0)];
    }));
  }

  const node = (state) => about.nodes[number(viewOf(state), 0, about.head)];

  // Who decides here, as far as that can be read off the state.
  function mover(state) {
    const by = node(state).by;
    return typeof by === "string" ? by : about.players[number(viewOf(state), by.at, by.width) + by.low];
  }

  function begin() {
    const endless = start(about.state);
    return endless ? null : bytes(about.state, about.length);
  }

  function told(view, param, at) {
    if (!param.counts) {
      const value = named(param.domain, view.getInt32(at + param.at, true));
      return param.domain.kind.startsWith("record:") ? `number ${value + 1}` : value === null ? "none" : String(value).replaceAll("_", " ");
    }
    const cards = Array.from({ length: param.counts }, (_, i) => [param.domain.names[i], view.getUint16(at + param.at + 2 * i, true)]);
    return cards.filter(([, n]) => n).map(([card, n]) => (n === 1 ? card : `${n} × ${card}`)).join(", ") || "nothing";
  }

  // An option with what is chosen: in the blanks of its title, and else behind it.
  function option(edge, values) {
    const blank = (param) => `{${param.name}}`;
    const rest = edge.params.map((param, j) => [param, values[j]]).filter(([param]) => !edge.label.includes(blank(param)));
    const words = edge.params.reduce((text, param, j) => text.replaceAll(blank(param), () => values[j]), edge.label);
    if (rest.length === 0) return words;
    return `${words}: ${rest.map(([param, value]) => (rest.length > 1 ? `${param.label} ${value}` : value)).join(", ")}`;
  }

  // The legal moves of a state: words, weight (of chance), what fails on the way, the state after.
  function moves(state) {
    write(about.state, state);
    const count = expand(about.state), found = [];
    for (let i = 0; i < count; i += 1) {
      const at = about.records + i * about.record.size, view = new DataView(memory.buffer);
      const flags = Array.from({ length: about.words }, (_, word) => view.getBigUint64(at + 16 + 8 * word, true));
      const bit = (place) => (flags[place >> 6] >> BigInt(place & 63)) & 1n;
      if (bit(0)) continue;
      const edge = about.edges[view.getUint32(at, true)];
      const values = edge.params.map((param) => told(view, param, at + about.record.args));
      found.push({
        text: edge.choice ? values[0] : option(edge, values), weight: Number(view.getBigUint64(at + 8, true)), endless: Boolean(bit(1)),
        notes: about.notes.filter((_, j) => bit(about.first + j)),
        after: bit(1) ? null : bytes(at + about.record.state, about.length),
      });
    }
    return found;
  }

  return { begin, moves, node, mover, table };
}
