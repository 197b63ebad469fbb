// expect: error sandbox_timeout
const again = () => { Promise.resolve().then(again); };
again();
