/**
 * The instruments of contributors: InstrumentType of DDEX's allowed value sets, version 9 (the ones of ERN 4.3.2), without
 * its value for instruments that it does not list. On the wire they are in snake_case.
 */

const ddexInstruments = `
  12-StringElectricGuitar 12-StringGuitar 5-StringBanjo Accordion AcousticBassGuitar AcousticGuitar AcousticKeyboard
  AfricanHarp AfricanPercussion AgogoBells Alboka Alpenhorn AltoClarinet AltoCrumhorn AltoFlute AltoHorn
  AltoRecorder AltoSackbut AltoSaxophone AltoShawm AltoTrombone AltoViol AndeanHarp Angklung AnimalSounds Anvil
  Apito Applause ArchLute Arghul ArpeggiatingSynth Atumpan Aulochrome Autoharp BabyBass Baglama Bagpipes
  BahianGuitar BajoSexto Balafon Balalaika Bandoneon Bandura Bandurria Banhu Banjo BanjoGuitar Banjolin Bansuri
  BaritoneGuitar BaritoneHorn BaritoneOboe BaritoneSaxophone BaroqueBassoon BaroqueCello BaroqueClarinet
  BaroqueFlute BaroqueGuitar BaroqueOboe BaroqueRecorder BaroqueViola BaroqueViolin BarrelOrgan Baryton Bass
  BassBanjo BassCittern BassClarinet BassDrum(Concert) BassDrum(Kick) BassDulcian BassetClarinet BassetHorn
  BassFlute BassGuitar BassHarmonica BassOboe BassoDaBraccio Bassoon BassRebec BassRecorder BassSackbut
  BassSaxophone BassShawm BassTrombone BassTrumpet BassTuba BassViol Bata Bawu Bells BellTree Bendir Berimbau
  BicyclePump BinghiDrum BirdSong BirdWhistle Biwa Bodhran BodyPercussion Bombard Bombo BomboLeguero Bones Bongos
  BosunsWhistle Bottles Bouzouki BowedStrings BoyVoice Bozoq BrassInstrument BrazilianPercussion Breakbeat BufoBass
  Bugle Cabasa Caixa Caja Cajon Calabash Calliope Carillon CarSounds Castanet Cavaquinho Caxixi Celesta Cello
  CelloBanjo CelticHarp Chalumeau Chamberlin ChapmanStick Charango Chatter ChewingSounds ChildrensBackgroundVocalist
  ChildVoice Chimes Chocalho Choir ChromaticButtonAccordion ChromaticHarmonica ChurchBells Cimbalom Cimbasso Citole
  Cittern Clapstick Clarinet ClarinoTrumpet Claves Clavichord Clavinet Claypot Comb ConcertHarp Concertina
  ConchShell Congas ContraAltoClarinet ContrabassClarinet Contrabassoon ContrabassRecorder ContrabassSarrusophone
  ContrabassSaxophone ContrabassTrombone Cordovox Cornet Cornetto Cowbell Craviola Crotales Crumhorn Crwth Cuatro
  Cuica Cumbus Cymbal(Crash) Cymbal(Ride) Cymbal(Suspended) Cymbals Daegeum Daf Damaru DanBau DanTranh Davul Dayereh
  Defi Dhol Dholak Dictophone Didgeridoo Dilruba Diple Dizi Djembe DobroGuitar Dohol Dombra Domra DoubleBass
  DoublebassViol DoubleHarp DoubleViolin Doumbek Dranyen Drum DrumKit DrumMachine DrumSample DrumSticks Duduk Duggi
  Dulcian Dulcitone Dungchen Dunun Dutar Dzuddahord Ektara Electric6StringViolin ElectricBassGuitar ElectricCello
  ElectricGuitar ElectricHarp ElectricMandolin ElectricOrgan ElectricPiano ElectricSitar ElectricViola
  ElectricViolin ElectroAcousticHurdyGurdy ElephantBell EnglishHorn Ennanga EpinetteDesVosges Erhu Esraj Euphonium
  FemaleBackgroundVocalist FemaleVoice Fiddle Fife FingerClicks FingerCymbals FingerSnaps Fiscorn Flabiol Flageolet
  Flexatone Floyera Flugelhorn Flute FolkHarp FolkloricPercussion FootStomp Fortepiano FrenchHorn FretlessBassGuitar
  Frog FryingPanGuitar Fujara Gadulka Gambang Gamelan Ganga Gardon Gasba Gayageum Gemshorn GermanFlute Ghaita
  Ghaychak GirlVoice Gittern Gizmo GlassHarmonica GlassHarp Glockenspiel Gong GrandPiano GreatBassRecorder
  GroupBackgroundVocalists Guacharaca Guache Guanzi Guira Guiro Guitar Guitarron Gunshots Guqin Gusli Guzheng
  Gyaling Haegeum HammeredDulcimer HammeredStrings HammondOrgan HandBells HandChimes HandClaps HardangerFiddle
  Harmonica Harmonium Harp Harpsichord Heckelphone Helicon HeraldTrumpet HighlandPipes HiHatCymbal HohnerGuitaret
  Horn HotFountainPen Huapanguera HurdyGurdy IrishBouzouki IrishLowWhistle Jagdhorn Jakhay JamBlock JaranaJarocha
  Jawbone Jawharp JewsHarp Jinghu Jug Kacapi Kalimba Kanjira Kantele Kanun Katsa Kaval Kazoo Kemenche Kendang
  Keyboard KeyedTrumpet Khamak Khartal Khene Khim Khlui Khol KhongWongLek KhongWongYai Klavier Knuckles Kora Koto
  Kugo Langeleik Laouto LapSteelGuitar LatinPercussion Launeddas LeadVocalist Leona Lirone Lithophone Lokole
  LowreyOrgan Lur Lute Lutheal LyraViol Lyre Madal MagneticTapeTreatments MaleBackgroundVocalist MaleVoice
  Mandocello Mandola Mandolele Mandolin Mandolino Mandore Maracas Marimba Marimbaphone Marimbula Marxophone Mazhar
  Mbira MedievalFiddle MedievalHarp Mellophone Mellotron Melodeon Melodica MetalCans Mijwiz MiniatureKhene
  MixedBackgroundVocalist MixedVoice Mizmar MohanVeena MouthOrgan MouthPercussion Mridangam Muharsing Musette
  MusicalBow MusicBox Naal Nadaswaram Nagara Nai NativeAmericanFlute NaturalHorn NaturalTrumpet NeutralVoice
  NeyFlute Ngoni Njarka Nyatiti Nyckelharpa NylonStringGuitar Oboe OboeDaCaccia OboeDAmore OboromDrum Ocarina
  Octoban Omnichord OndesMartenot Ophicleide Optigan OrchestralHit OrchestralPercussion Organ Organistrum Orpharion
  OtherInstrument Oud PaddleDrums Paixiao Pandeiro Pandura PanFlute ParaguayanHarp Pedabro PedalSteelGuitar
  PercussionInstrument PercussionSection Phin Phonofiddle Pi Pianet Piano PianoAccordion PianoHarp Pianola
  PiccoloBass PiccoloClarinet PiccoloFlute PiccoloTrumpet Pinkillu Pipa PipeOrgan PitchedPercussionInstrument
  PluckedDulcimer PluckedStrings PocketTrumpet PoliceWhistle PongLang PortugueseGuitar PositiveOrgan PostHorn
  PotsAndPans PreparedPiano Psaltery PumpOrgan Pungi Qarkabeb Quena Quenacho Rabel Rackett Rainstick Ranat Ratchet
  Rattle Rauschpfeife Rebab Rebec Recorder RecordNoise RecoReco ReedInstrument Regal RenaissanceGuitar Repinique
  Rhodes RhythmStick Riq Rnga Rolmo RomanticGuitar Rondador Rototoms Ruan Sabar Sackbut SampledKeyboard Sampler
  SandBlocks Santoor Sarangi Sarod Sarrusophone Saung Saw SawDuang Saxophone Scratcher Serpent Shaker Shakuhachi
  Shamisen Shawm Shekere Shelltone Shenai Sheng Sho Shofar ShrutiBox ShviWhistle Siku Simsimiyya SingingBowls Sintir
  Siren Sistrum Sitar Slapstick SleighBells SlideSaxophone SlideTrumpet SlideWhistle SnareDrum SnareDrum(Marching)
  SopraninoRecorder SopraninoSaxophone SopranoClarinet SopranoCornet SopranoCrumhorn SopranoDomra SopranoDulcian
  SopranoRecorder SopranoSaxophone SopranoShawm SopranoTrumpet Sordun SoundDesign SoundEffects Sousaphone
  SpectrasonicsOmnisphere Spinet Spoons SpringDrum SquarePiano SteelDrums Sticks StringInstrument StringSection
  StrohlViolin Suling Suona Surbahar Surdo Swarmandal SynthBass SynthBrass SynthChoir Synthesizer SynthFX SynthLead
  SynthPad SynthSteelDrums SynthStrings Taal Taarija Tabla Tabor TackPiano Taiko TalkingDrum Tambora Tamborim
  Tambour Tambourine Tambura Tamtam Tanbour Tanpura TaongaPuoro Tar(Percussion) Tar(String) Tarka Tarogato Tarol
  TempleBell TempleBlocks TenorBanjo TenorCrumhorn TenorDrum TenorDulcian TenorFlute TenorGuitar TenorRebec
  TenorRecorder TenorSackbut TenorSaxophone TenorShawm TenorTrombone TenorViol Thavil Theorbo Theremin ThunderSheet
  TibetanBells Timbales Timbau Timpani Timple Tingsha TinWhistle Tiple TogamanGuitarViol Tompak Toms TongueDrum
  TouchGuitar ToyAccordion ToyPiano TrainSounds Treatments TrebleRebec TrebleViol Tres Triangle TrombaMarina
  Trombone Trumpet Tuba Tumbi Turntable Tusselfloyte Txalaparta Tzouras Udu UilleanPipes Ukulele UliUli
  UnintendedArtifacts UnpitchedPercussionInstrument UprightBass UprightPiano Urumee VakoOrchestron Valiha
  ValveTrombone Veena VenezuelanHarp VeracruzHarp Vibraphone Vibraslap VichitraVeena Vielle Vihuela Viol Viola
  ViolaCaipira ViolaDaGamba ViolaDAmore ViolaPomposa Violin ViolinoPiccolo Virginals ViTar Voice Vuvuzela WagnerTuba
  Washboard WashtubBass Waterphone WelshTripleHarp WillowFlute WindChimes WindInstrument WindMachine WindSection
  WireStrungHarp WobbleBoard WoodBlock WoodFlute WoodTrumpet Wot Xalam Xaphoon Xiao Xun Xylophone Xylorimba Yangqin
  YayliTambur Yokin Yueqin Zerbaghali Zeze Zhonghu Zither Zummara Zurna ZydecoRubboard
`;

type Instrument = {
  /** As on the wire: `bass_drum_kick`. */
  readonly instrument: string;
  readonly name: string;
  /** As in DDEX: `BassDrum(Kick)`. */
  readonly ddexInstrument: string;
};

/** Before a capital after a small letter or a digit, before a digit after a letter, and at brackets and hyphens. */
const wordBreaks = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)|[()-]/;

function toInstrument(ddexInstrument: string): Instrument {
  const words = ddexInstrument.split(wordBreaks).filter((word) => word !== '');
  return {
    instrument: words.join('_').toLowerCase(),
    name: words.join(' '),
    ddexInstrument,
  };
}

export const instruments: readonly Instrument[] = ddexInstruments
  .trim()
  .split(/\s+/)
  .map(toInstrument);

export const instrumentNames: ReadonlySet<string> = new Set(
  instruments.map(({ instrument }) => instrument),
);

export const isInstrument = (text: string): boolean => instrumentNames.has(text);

const ddexNames = new Map(
  instruments.map(({ instrument, ddexInstrument }) => [instrument, ddexInstrument]),
);

/** As a message to a store names it. */
export function ddexInstrumentOf(instrument: string): string {
  const ddexInstrument = ddexNames.get(instrument);
  if (ddexInstrument === undefined) throw new Error(`${instrument} is not an instrument`);
  return ddexInstrument;
}
