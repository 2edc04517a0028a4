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
    if (!steps) return;
    // This function runs at each change of its data: the same listener is added only once.
    document.addEventListener('keydown', press, true);
    document.addEventListener('click', step, true);
    return () => {
        document.removeEventListener('keydown', press, true);
        document.removeEventListener('click', step, true);
    };
}
