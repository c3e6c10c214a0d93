// What each part of the page may do, in the words of that part.

export function itemActions(app) {
  return {
    me: () => app.facts.principal,
    offline: () => !app.link.ready,
    busy: () => app.thread.runs.size > 0,
    asked: (card, node) => app.asked(card, node),
    sendAgain: (item) => app.sendAgain(item),
    retry: () => app.command("/retry"),
    press: (card, option, value) => app.press(card, option, value),
    reply: (card) => {
      app.call?.write(true);
      app.composer.replyTo(card);
    },
    correct: (card) => {
      app.call?.write(true);
      app.composer.correct(card);
    },
    decline: (card) => app.press(card, "cancel"),
    focusComposer: () => app.composer.focus(),
  };
}

export function fieldActions(app) {
  return {
    state: () => app.thread,
    thread: () => app.current,
    principal: () => app.facts.principal,
    online: () => app.link.ready,
    say: (text, how) => app.say(text, how),
    stop: () => app.stop(),
    voice: () => app.facts.voice && !app.onCall,
    talk: () => app.talk(),
    setMode: (mode) => app.command(`/queue ${mode}`),
  };
}

export function queueActions(app) {
  return {
    state: () => app.thread,
    me: () => app.facts.principal,
    queue: (what, item, text) => app.command(`/queue ${what} #${item.seq}${text ? ` ${text}` : ""}`),
    sendAgain: (item) => app.sendAgain(item),
    focusComposer: () => app.composer.focus(),
  };
}

export function threadActions(app) {
  return {
    call: (method, params) => app.link.call(method, params),
    thread: () => app.current,
    home: () => app.home,
    me: () => app.facts.principal,
    counted: () => app.counted(),
    title: () => app.thread.meta.title,
    titled: (title) => app.thread.meta.title === title || app.titled(title),
    focusComposer: () => app.composer.focus(),
  };
}

export function keyActions(app) {
  return {
    choose: (name) => app.thread.runs.size && app.composer.choose(name),
    newThread: () => app.threads.make(),
    toggleThreads: () => app.threads.toggle(),
    toQuestion: () => app.toQuestion(),
    escape: () => app.escape(),
    focusComposer: () => app.composer.focus(),
    type: (text) => app.composer.put(app.composer.field.value + text),
  };
}

export function callActions(app) {
  return {
    thread: () => app.current,
    language: () => document.documentElement.lang,
    ended: () => app.callEnded(),
    restart: () => app.talk(),
  };
}
