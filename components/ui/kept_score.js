export default function ({ data, setTriggerValue }) {
    const text = new TextDecoder().decode(data), score = JSON.parse(text);
    let stored = null;
    try { stored = JSON.parse(sessionStorage.getItem('score')); } catch { /* closed to this page, or not ours */ }
    if (stored && ![score.session, score.restored].includes(stored.session)) setTriggerValue('stored', stored);
    else if (score.answers.length || score.open_figures.length) try { sessionStorage.setItem('score', text); } catch { /* closed, or full */ }
}
