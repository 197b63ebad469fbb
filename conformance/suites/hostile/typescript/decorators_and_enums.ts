// expect: progressed none
enum Color { Red, Green = "g".length }
namespace Inner { export const x = Color.Red; }
abstract class Base { constructor(protected readonly x = Inner.x) {} abstract y(): number; }
class Derived extends Base { override y() { return this.x; } accessor z = 1; }
console.log(new Derived().y(), Color[1], (<number>Inner.x)!);
