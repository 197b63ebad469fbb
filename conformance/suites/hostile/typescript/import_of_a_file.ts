// expect: error transpile_compile Cannot find module
import passwd from "/etc/passwd";
import data from "../../etc/passwd.json";
console.log(passwd, data);
