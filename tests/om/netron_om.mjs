// Prints the graphs of an OM file as Netron's own reader sees them, as JSON.
//
//   node netron_om.mjs NETRON_FOLDER FILE.om
//
// NETRON_FOLDER holds Netron's om.js and the modules it imports (tests/om/netron_reader.py).

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(folder, name)));

const base = await load('base.js');
const om = await load('om.js');

const metadata = new Map(
    JSON.parse(readFileSync(join(folder, 'om-metadata.json'))).map((type) => [type.name, type]));

// What Netron's application hands to a format reader.
const context = {
    stream: new base.BinaryStream(new Uint8Array(readFileSync(file))),
    set(type, value) {
        this.value = value;
        return type;
    },
    metadata: async () => ({ type: (name) => metadata.get(name) }),
    require: async (name) => (await load(`${name}.js`)),
};

const plain = (value) => {
    if (typeof value === 'bigint') {
        return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    }
    if (ArrayBuffer.isView(value)) {
        return { hex: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex') };
    }
    if (Array.isArray(value)) {
        return value.map(plain);
    }
    if (value && typeof value === 'object') {
        if (value.type && 'values' in value) {
            return tensor(value);
        }
        return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
    }
    return value === undefined ? null : value;
};

const type = (value) => (value ? {
    dtype: value.dataType,
    shape: plain(value.shape.dimensions),
    layout: value.denotation || null,
} : null);

const tensor = (value) => ({
    ...type(value.type),
    bytes: value.values ? value.values.length : 0,
    sha256: createHash('sha256').update(value.values || new Uint8Array()).digest('hex'),
});

const argument = (item) => ({
    name: item.name,
    values: item.value.map((value) => ({
        name: value.name,
        type: type(value.type),
        tensor: value.initializer ? tensor(value.initializer) : null,
    })),
});

const graph = (item) => ({
    name: item.name,
    nodes: item.nodes.map((node) => ({
        name: node.name,
        type: node.type.name,
        inputs: node.inputs.map(argument),
        outputs: node.outputs.map(argument),
        attributes: Object.fromEntries(node.attributes.map((attribute) => [
            attribute.name,
            attribute.type === 'graph' ? graph(attribute.value) : plain(attribute.value),
        ])),
    })),
});

try {
    const factory = new om.ModelFactory();
    if (!await factory.match(context)) {
        throw new Error('Netron does not take this for an OM file.');
    }
    const model = await factory.open(context);
    const graphs = model.modules.map(graph);
    process.stdout.write(JSON.stringify({ format: model.format, graphs }));
} catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
}
