// Tries the API from its own document: a form an operation, the answer beneath it.

const document_ = await (await fetch('/v1/openapi.json')).json();
const token = document.querySelector('#token');
const place = document.querySelector('#operations');
document.querySelector('#about').textContent =
  `${document_.info.description} Version ${document_.info.version}.`;

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function resolved(schema) {
  const name = schema.$ref?.split('/').at(-1);
  return name ? resolved(document_.components.schemas[name]) : schema;
}

function example(schema) {
  const found = resolved(schema);
  if ('default' in found) return found.default;
  if (found.enum) return found.enum[0];
  if (found.anyOf) return example(found.anyOf[0]);
  if (found.type === 'object') {
    const needed = (found.required ?? []).map(key => [key, example(found.properties[key])]);
    return Object.fromEntries(needed);
  }
  return { array: [], boolean: false, integer: 0, number: 0 }[found.type] ?? '';
}

function field(parameter) {
  const attributes = { name: parameter.name };
  if (parameter.required) attributes.required = '';
  const input = element('input', attributes);
  input.dataset.in = parameter.in;
  const about = parameter.description ? ` · ${parameter.description}` : '';
  return element('label', {}, `${parameter.name}${about}`, input);
}

async function show(answer, output) {
  output.textContent = `${answer.status} ${answer.statusText}\n`;
  const type = answer.headers.get('Content-Type') ?? '';
  if (!type.startsWith('text/event-stream')) {
    const text = await answer.text();
    output.textContent += type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text;
    return;
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    output.textContent += value;
    output.scrollTop = output.scrollHeight;
  }
}

function send(path, method, form, output) {
  const headers = {};
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll('input[data-in]')) {
    if (!input.value) continue;
    if (input.dataset.in === 'path') path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    if (input.dataset.in === 'query') query.set(input.name, input.value);
    if (input.dataset.in === 'header') headers[input.name] = input.value;
  }
  if (token.value) headers.Authorization = `Bearer ${token.value}`;
  if (form.querySelector('input[name=events]')?.checked) headers.Accept = 'text/event-stream';
  const text = form.querySelector('textarea')?.value;
  if (text !== undefined) headers['Content-Type'] = 'application/json';
  const body = text ?? form.querySelector('input[type=file]')?.files[0];
  const target = query.size ? `${path}?${query}` : path;
  return fetch(target, { method, headers, body }).then(answer => show(answer, output));
}

function operation(path, method, about) {
  const output = element('pre', { role: 'log', 'aria-label': 'Answer' });
  const form = element('form', {}, ...about.parameters.map(field));
  const content = about.requestBody?.content ?? {};
  const schema = content['application/json']?.schema;
  if (schema) {
    const body = element('textarea', { 'aria-label': 'Body', spellcheck: 'false' });
    body.value = JSON.stringify(example(schema), null, 2);
    form.append(element('label', {}, 'Body', body));
  } else if (about.requestBody) {
    form.append(element('label', {}, 'File', element('input', { type: 'file', required: '' })));
  }
  const row = element('div', { class: 'row' }, element('button', {}, 'Send'));
  const kinds = Object.keys(about.responses['200']?.content ?? {});
  if (kinds.includes('text/event-stream')) {
    const attributes = { type: 'checkbox', name: 'events' };
    if (kinds.length === 1 && !about.responses['201']) attributes.checked = '';
    row.append(element('label', {}, element('span', {}, element('input', attributes), ' as events')));
  }
  form.append(row, output);
  form.addEventListener('submit', event => {
    event.preventDefault();
    output.textContent = '…';
    send(path, method, form, output).catch(error => { output.textContent = `${error}`; });
  });
  const head = element('summary', {}, element('b', {}, method), element('code', {}, path), about.summary);
  return element('details', { id: about.operationId }, head, form);
}

for (const [path, methods] of Object.entries(document_.paths)) {
  for (const [method, about] of Object.entries(methods)) {
    place.append(operation(path, method.toUpperCase(), about));
  }
}
place.removeAttribute('aria-busy');
