/**
 * What people choose when they are made to choose something long: the words that lists of leaked
 * passwords begin with, and twelve or more letters in the order of the keyboard. Compared after
 * digits and signs around it, and letters written as digits, have been undone.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
  1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv
  a1b2c3 a1b2c3d4 a1b2c3d4e5f6 abc abcd abcdef abc123 abc123abc account admin administrator adminadmin alexander amanda america andrew angel angels
  anthony apple archangel asdf asdfgh asdfghjkl ashley assassin babygirl bailey barcelona baseball
  basketball batman beautiful blessed blink butterfly buster changeit changeme changethis charlie
  cheese chelsea chocolate christian christopher computer computers cookie correcthorsebatterystaple
  correcthorse default defaultpassword demo diamond donald dragon elizabeth enter everton fallout
  family flower football forever freedom fuckyou gabriel george ginger guest harley hello helloworld
  heaven hottie hunter iloveyou iloveyousomuch iloveyouforever internet jasmine jennifer jessica jesus
  jesuschrist jordan joshua justin killer latchkey letmein letmeinnow letmeinplease liverpool login
  london lovely loveme loveyou madison manager manchester manchesterunited master matrix matthew
  maverick maggie mercedes merlin michael michelle microsoft minecraft monday monkey mustang mypassword
  mnbvcxz mnbvcxzlkjhg mnbvcxzlkjhgfdsa nicole ninja nothing november october office passphrase passcode password passwort passwords
  passwordpassword pepper pepsi playstation pokemon princess private qazwsx qazwsxedc qazwsxedcrfv
  qwer qwert qwerty qwertyui qwertyuiop qwertyqwerty qwertyuiopasdf qwertyuiopasdfghjkl rainbow ranger
  robert root samsung samantha secret secretpassword security september server shadow silver skywalker
  snoopy soccer sparky spiderman starwars steelers strawberry summer sunday sunflower sunshine superman
  superuser system taylor tennis test testing testpassword testtest thomas thunder tigger trustno
  trustnoone tuesday unknown user username victoria vincent wednesday welcome whatever william windows
  winter winner wizard yankees zaqwsx zxcvbn zxcvbnm zxcvbnmasdfghjkl
  `
    .trim()
    .split(/\s+/),
);
