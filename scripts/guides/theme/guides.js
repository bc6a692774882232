/**
 * The script of the guides: theme, search and copy buttons. Pages are complete without it. It is loaded before the body,
 * so that the chosen theme applies before anything is painted.
 */

'use strict';

const themeKey = 'tonearm-theme';
const resultsMax = 12;
const snippetLength = 110;
const { documentElement: root } = document;

/* Storage may be blocked: the theme then follows the system on every page. */
function readTheme() {
  try {
    return localStorage.getItem(themeKey);
  } catch {
    return null;
  }
}

function writeTheme(theme) {
  try {
    localStorage.setItem(themeKey, theme);
  } catch {
    /* The choice lasts for this page. */
  }
}

function startTheme() {
  const button = document.querySelector('.theme');
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
  button.hidden = false;
  button.addEventListener('click', () => {
    const current = root.dataset.theme ?? (systemIsDark.matches ? 'dark' : 'light');
    root.dataset.theme = current === 'dark' ? 'light' : 'dark';
    writeTheme(root.dataset.theme);
  });
}

async function copyCode(figure, button) {
  await navigator.clipboard.writeText(figure.querySelector('pre').textContent.trimEnd());
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 1500);
}

function startCopy() {
  /* Browsers have no clipboard on a page without TLS, except on this machine. */
  if (navigator.clipboard === undefined) return;
  for (const figure of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', () => void copyCode(figure, button));
    figure.querySelector('figcaption').append(button);
  }
}

/* The sidebar scrolls by itself: the page that is open must be visible in it. */
function startSidebar() {
  const sidebar = document.querySelector('.sidebar');
  const current = sidebar.querySelector('[aria-current]');
  if (current === null || current.offsetTop + current.offsetHeight < sidebar.clientHeight) return;
  sidebar.scrollTop = current.offsetTop - sidebar.clientHeight / 2;
}

/* Marks the section that is being read in the table of contents. */
function startContents() {
  const links = new Map(
    [...document.querySelectorAll('.contents a')].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  );
  if (links.size === 0) return;
  const headings = [...links.keys()].map((id) => document.getElementById(id));
  const mark = () => {
    const top = parseFloat(getComputedStyle(root).scrollPaddingTop) + 8;
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= top);
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= root.scrollHeight - 2;
    const current = isAtEnd ? headings.at(-1) : passed.at(-1);
    for (const [id, link] of links) {
      if (id === current?.id) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
  };
  let isWaiting = false;
  const markOnce = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      mark();
    });
  };
  addEventListener('scroll', markOnce, { passive: true });
  mark();
}

/* Every word must occur. A title that is the query comes first, then titles, then texts. */
function scoreOf(entry, words, query) {
  const title = entry.title.toLowerCase();
  const page = entry.page.toLowerCase();
  const text = entry.text.toLowerCase();
  let score = title === query || (title === '' && page === query) ? 100 : 0;
  for (const word of words) {
    if (title.startsWith(word)) score += 30;
    else if (title.includes(word)) score += 20;
    else if (page.includes(word)) score += title === '' ? 15 : 8;
    else if (text.includes(word)) score += 3;
    else return 0;
  }
  return score;
}

function findEntries(entries, query) {
  const words = query.split(/\s+/);
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words, query) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, resultsMax)
    .map(({ entry }) => entry);
}

function appendMarked(element, text, words) {
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`(${escaped.join('|')})`, 'gi');
  for (const [i, part] of text.split(pattern).entries()) {
    const mark = document.createElement('mark');
    mark.textContent = part;
    element.append(i % 2 === 0 ? part : mark);
  }
}

function snippetOf(text, words) {
  const found = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const start = found.length === 0 ? 0 : Math.max(0, Math.min(...found) - 30);
  return `${start > 0 ? '…' : ''}${text.slice(start, start + snippetLength)}`;
}

function spanOf(className) {
  const span = document.createElement('span');
  span.className = className;
  return span;
}

function optionOf(entry, words, i) {
  const option = document.createElement('li');
  option.id = `result-${i}`;
  option.setAttribute('role', 'option');
  option.dataset.url = entry.url;
  const title = spanOf('title');
  appendMarked(title, entry.title === '' ? entry.page : entry.title, words);
  const from = spanOf('from');
  from.textContent = entry.title === '' ? '' : ` · ${entry.page}`;
  title.append(from);
  const snippet = spanOf('snippet');
  appendMarked(snippet, snippetOf(entry.text, words), words);
  option.append(title, snippet);
  return option;
}

function messageOption(text) {
  const option = document.createElement('li');
  option.className = 'nothing';
  option.setAttribute('role', 'option');
  option.setAttribute('aria-disabled', 'true');
  option.textContent = text;
  return option;
}

/* The list under the search field: a listbox of which one option is selected; the focus stays in the field. */
function createResults(input, list) {
  const options = () => [...list.querySelectorAll('[data-url]')];
  const selected = () => list.querySelector('[aria-selected=true]');
  const select = (option) => {
    for (const each of list.children) each.setAttribute('aria-selected', String(each === option));
    if (option === undefined) return;
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  return {
    close,
    isClosed: () => list.hidden,
    show: (children) => {
      list.replaceChildren(...children);
      list.hidden = false;
      input.setAttribute('aria-expanded', 'true');
      select(options()[0]);
    },
    move: (step) => {
      const all = options();
      if (list.hidden || all.length === 0) return;
      select(all[(all.indexOf(selected()) + step + all.length) % all.length]);
    },
    open: (option = selected()) => {
      if (list.hidden || option?.dataset.url === undefined) return;
      close();
      location.href = option.dataset.url;
    },
  };
}

function startSearch() {
  const box = document.querySelector('.search');
  const [input, list, status] = ['input', 'ul', '[role=status]'].map((each) =>
    box.querySelector(each),
  );
  const results = createResults(input, list);
  const queryNow = () => input.value.trim().toLowerCase();
  box.hidden = false;

  let index;
  const load = () => {
    index ??= fetch(box.dataset.index)
      .then((answer) => answer.json())
      .catch(() => (index = undefined));
    return index;
  };

  const search = async () => {
    const query = queryNow();
    status.textContent = '';
    if (query === '') {
      results.close();
      return;
    }
    const entries = await load();
    /* Another key was pressed meanwhile: its own search shows the results. */
    if (query !== queryNow()) return;
    const found = findEntries(entries ?? [], query);
    const failure =
      entries === undefined ? 'The search could not be loaded. Try again.' : 'No results';
    const options = found.map((entry, i) => optionOf(entry, query.split(/\s+/), i));
    results.show(options.length === 0 ? [messageOption(failure)] : options);
    const word = options.length === 1 ? 'result' : 'results';
    status.textContent = options.length === 0 ? failure : `${options.length} ${word}`;
  };

  const keys = {
    ArrowDown: () => results.move(1),
    ArrowUp: () => results.move(-1),
    Enter: () => results.open(),
    Escape: () => {
      if (results.isClosed()) input.blur();
      input.value = '';
      results.close();
    },
  };
  input.addEventListener('focus', () => void load());
  input.addEventListener('input', () => void search());
  input.addEventListener('blur', results.close);
  input.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (act === undefined || event.isComposing) return;
    event.preventDefault();
    act();
  });
  /* A click must not take the focus from the field, which would close the list. */
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => results.open(event.target.closest('li')));
  focusOnSlash(input);
}

function focusOnSlash(input) {
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

const chosenTheme = readTheme();
if (chosenTheme === 'light' || chosenTheme === 'dark') root.dataset.theme = chosenTheme;

document.addEventListener('DOMContentLoaded', () => {
  startTheme();
  startSidebar();
  startSearch();
  startCopy();
  startContents();
});
