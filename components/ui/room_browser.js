const BETWEEN_STEPS = 300;  // milliseconds
const STEPS = ['next', 'other'].map(each => `[class*="st-key-room_${each}_"] button`);
let stepped = -BETWEEN_STEPS;
function cancel(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
}
function press(event) {
    const focused = document.activeElement ?? document.body;
    const isFree = event.key === 'PageDown' ? !focused.matches('textarea') : focused.matches('body, .stMain');
    if (!['PageDown', ' '].includes(event.key) || !isFree) return;
    cancel(event);
    if (!event.repeat) document.querySelector(STEPS[0])?.click();
}
// A press renders its button again in another color, or another one instead of it, to which its focus goes.
function keep(event) {
    const pressed = event.target.closest('button');
    const group = pressed?.closest('[class*="st-key-room_vote_"], .st-key-room_bar');
    if (document.activeElement !== pressed || !(group || pressed?.matches(STEPS))) return;
    const key = group && [...group.classList].find(each => each.startsWith('st-key-room_'));
    const again = key ? `.${key} button` : STEPS[0];
    let frames = 600;
    const focus = () => {
        const focused = document.activeElement;
        if (![document.body, pressed].includes(focused) && !focused.matches(again)) return;
        const other = pressed.isConnected ? null : document.querySelector(again);
        if (other) frames = Math.min(frames, 120);  // it may be rendered twice, hidden at first
        if (focused === document.body) other?.focus({ preventScroll: true });
        if (frames-- > 0) requestAnimationFrame(focus);
    };
    focus();
}
function once(event) {  // a key that is held would press the other button as well
    const repeats = event.repeat && event.key === 'Enter';
    if (repeats && event.target.matches(`${STEPS}, .st-key-room_bar button`)) cancel(event);
}
function step(event) {
    if (!event.target.closest(STEPS)) return;
    if (event.timeStamp - stepped < BETWEEN_STEPS) cancel(event); else stepped = event.timeStamp;
}
export default function ({ data, setTriggerValue }) {
    const { code, secret, own, wanted, steps } = JSON.parse(new TextDecoder().decode(data));
    const key = `room ${code}`;
    const ofHost = [[key, secret], [`${key} own`, own]];
    try {
        if (secret) ofHost.forEach(each => sessionStorage.setItem(...each));
    } catch { /* closed to this page, or full */ }
    if (wanted) {
        let voter = [...crypto.getRandomValues(new Uint8Array(16))].map(n => n.toString(16).padStart(2, '0')).join('');
        let [claim, before] = ['', ''];
        try {
            [claim, before] = ofHost.map(([name]) => sessionStorage.getItem(name) || '');
        } catch { /* closed to this page */ }
        try { voter = localStorage.getItem(key) || voter; localStorage.setItem(key, voter); } catch { /* the same */ }
        setTriggerValue('kept', { code, voter, claim, own: before });
    }
    // This function runs at each change of its data: the same listener is added only once.
    const listeners = [['keydown', once], ['click', keep]];
    if (steps) listeners.unshift(['keydown', press], ['click', step]);
    listeners.forEach(each => document.addEventListener(...each, true));
    return () => listeners.forEach(each => document.removeEventListener(...each, true));
}
