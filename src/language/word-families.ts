/** Related words that no rule gives. */
export const FAMILIES: readonly (readonly string[])[] = `
  wise wisdom; free freedom; true truth; strong strength; long length; deep depth; wide width; high height; hot heat;
  warm warmth; proud pride; young youth; dead die death; brave bravery; angry anger; hungry hunger; thirsty thirst;
  poor poverty; just justice; believe belief; live life alive; choose choice; grow growth; born birth; lose loss;
  think thought; know knowledge; marry marriage; beautiful beauty; honest honesty; loyal loyalty; greedy greed;
  friend friendship; king kingdom; child childhood; hero heroism; move movement; see sight; speak speech; sing song;
  sell sale; give gift; serve service; please pleasure; rich riches; able ability; equal equality; cruel cruelty;
  real reality; simple simplicity; create creation creator; tempt temptation; music musical; philosophy philosophical;
  myth mythology mythical; poem poetry poet; science scientific scientist`
  .split(';')
  .map((line) => line.trim().split(/\s+/))
