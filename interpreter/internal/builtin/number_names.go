package builtin

// This file holds the names of currencies and units in en-US (CLDR).

// currency is how a currency is written, and how many digits its fraction has by ISO 4217.
type currency struct {
	symbol, narrow, one, many string
	digits                    int
}

// currencyOf is a currency of the table, or one that is written as its code.
func currencyOf(code string) currency {
	if c, ok := currencies[code]; ok {
		return c
	}
	return currency{code, code, code, code, 2}
}

// currencies are those in common use, and all whose fraction has other than two digits.
var currencies = map[string]currency{
	"USD": {"$", "$", "US dollar", "US dollars", 2},
	"EUR": {"€", "€", "euro", "euros", 2},
	"GBP": {"£", "£", "British pound", "British pounds", 2},
	"JPY": {"¥", "¥", "Japanese yen", "Japanese yen", 0},
	"INR": {"₹", "₹", "Indian rupee", "Indian rupees", 2},
	"CNY": {"CN¥", "¥", "Chinese yuan", "Chinese yuan", 2},
	"CAD": {"CA$", "$", "Canadian dollar", "Canadian dollars", 2},
	"AUD": {"A$", "$", "Australian dollar", "Australian dollars", 2},
	"CHF": {"CHF", "CHF", "Swiss franc", "Swiss francs", 2},
	"BRL": {"R$", "R$", "Brazilian real", "Brazilian reals", 2},
	"KRW": {"₩", "₩", "South Korean won", "South Korean won", 0},
	"MXN": {"MX$", "$", "Mexican peso", "Mexican pesos", 2},
	"NZD": {"NZ$", "$", "New Zealand dollar", "New Zealand dollars", 2},
	"SEK": {"SEK", "kr", "Swedish krona", "Swedish kronor", 2},
	"NOK": {"NOK", "kr", "Norwegian krone", "Norwegian kroner", 2},
	"DKK": {"DKK", "kr", "Danish krone", "Danish kroner", 2},
	"PLN": {"PLN", "zł", "Polish zloty", "Polish zlotys", 2},
	"CZK": {"CZK", "Kč", "Czech koruna", "Czech korunas", 2},
	"HUF": {"HUF", "Ft", "Hungarian forint", "Hungarian forints", 2},
	"RUB": {"RUB", "₽", "Russian ruble", "Russian rubles", 2},
	"TRY": {"TRY", "₺", "Turkish lira", "Turkish Lira", 2},
	"UAH": {"UAH", "₴", "Ukrainian hryvnia", "Ukrainian hryvnias", 2},
	"ILS": {"₪", "₪", "Israeli new shekel", "Israeli new shekels", 2},
	"ZAR": {"ZAR", "R", "South African rand", "South African rand", 2},
	"SGD": {"SGD", "$", "Singapore dollar", "Singapore dollars", 2},
	"HKD": {"HK$", "$", "Hong Kong dollar", "Hong Kong dollars", 2},
	"TWD": {"NT$", "$", "New Taiwan dollar", "New Taiwan dollars", 2},
	"THB": {"THB", "฿", "Thai baht", "Thai baht", 2},
	"IDR": {"IDR", "Rp", "Indonesian rupiah", "Indonesian rupiahs", 2},
	"MYR": {"MYR", "RM", "Malaysian ringgit", "Malaysian ringgits", 2},
	"PHP": {"₱", "₱", "Philippine peso", "Philippine pesos", 2},
	"VND": {"₫", "₫", "Vietnamese dong", "Vietnamese dong", 0},
	"PKR": {"PKR", "Rs", "Pakistani rupee", "Pakistani rupees", 2},
	"BDT": {"BDT", "৳", "Bangladeshi taka", "Bangladeshi takas", 2},
	"EGP": {"EGP", "E£", "Egyptian pound", "Egyptian pounds", 2},
	"NGN": {"NGN", "₦", "Nigerian naira", "Nigerian nairas", 2},
	"KES": {"KES", "KES", "Kenyan shilling", "Kenyan shillings", 2},
	"GHS": {"GHS", "GH₵", "Ghanaian cedi", "Ghanaian cedis", 2},
	"MAD": {"MAD", "MAD", "Moroccan dirham", "Moroccan dirhams", 2},
	"SAR": {"SAR", "SAR", "Saudi riyal", "Saudi riyals", 2},
	"AED": {"AED", "AED", "UAE dirham", "UAE dirhams", 2},
	"QAR": {"QAR", "QAR", "Qatari riyal", "Qatari riyals", 2},
	"KWD": {"KWD", "KWD", "Kuwaiti dinar", "Kuwaiti dinars", 3},
	"BHD": {"BHD", "BHD", "Bahraini dinar", "Bahraini dinars", 3},
	"OMR": {"OMR", "OMR", "Omani rial", "Omani rials", 3},
	"JOD": {"JOD", "JOD", "Jordanian dinar", "Jordanian dinars", 3},
	"ARS": {"ARS", "$", "Argentine peso", "Argentine pesos", 2},
	"CLP": {"CLP", "$", "Chilean peso", "Chilean pesos", 0},
	"COP": {"COP", "$", "Colombian peso", "Colombian pesos", 2},
	"PEN": {"PEN", "PEN", "Peruvian sol", "Peruvian soles", 2},
	"UYU": {"UYU", "$", "Uruguayan peso", "Uruguayan pesos", 2},
	"ISK": {"ISK", "kr", "Icelandic króna", "Icelandic krónur", 0},
	"RON": {"RON", "lei", "Romanian leu", "Romanian lei", 2},
	"BGN": {"BGN", "BGN", "Bulgarian lev", "Bulgarian leva", 2},
	"RSD": {"RSD", "RSD", "Serbian dinar", "Serbian dinars", 2},
	"KZT": {"KZT", "₸", "Kazakhstani tenge", "Kazakhstani tenges", 2},
	"GEL": {"GEL", "₾", "Georgian lari", "Georgian laris", 2},
	"LKR": {"LKR", "Rs", "Sri Lankan rupee", "Sri Lankan rupees", 2},
	"NPR": {"NPR", "Rs", "Nepalese rupee", "Nepalese rupees", 2},
	"CRC": {"CRC", "₡", "Costa Rican colón", "Costa Rican colóns", 2},
	"DOP": {"DOP", "$", "Dominican peso", "Dominican pesos", 2},
	"XAF": {"FCFA", "FCFA", "Central African CFA franc", "Central African CFA francs", 0},
	"XOF": {"F\u202fCFA", "F\u202fCFA", "West African CFA franc", "West African CFA francs", 0},
	"XPF": {"CFPF", "CFPF", "CFP franc", "CFP francs", 0},
	"XCD": {"EC$", "$", "East Caribbean dollar", "East Caribbean dollars", 2},
	"IQD": {"IQD", "IQD", "Iraqi dinar", "Iraqi dinars", 3},
	"TND": {"TND", "TND", "Tunisian dinar", "Tunisian dinars", 3},
	"LYD": {"LYD", "LYD", "Libyan dinar", "Libyan dinars", 3},
	"UGX": {"UGX", "UGX", "Ugandan shilling", "Ugandan shillings", 0},
	"PYG": {"PYG", "₲", "Paraguayan guarani", "Paraguayan guaranis", 0},
	"RWF": {"RWF", "RF", "Rwandan franc", "Rwandan francs", 0},
	"BIF": {"BIF", "BIF", "Burundian franc", "Burundian francs", 0},
	"DJF": {"DJF", "DJF", "Djiboutian franc", "Djiboutian francs", 0},
	"GNF": {"GNF", "FG", "Guinean franc", "Guinean francs", 0},
	"KMF": {"KMF", "CF", "Comorian franc", "Comorian francs", 0},
	"VUV": {"VUV", "VUV", "Vanuatu vatu", "Vanuatu vatus", 0},
	"ETB": {"ETB", "ETB", "Ethiopian birr", "Ethiopian birrs", 2},
	"TZS": {"TZS", "TZS", "Tanzanian shilling", "Tanzanian shillings", 2},
}

// units: short form (with its space), singular, plural, narrow.
var units = map[string][4]string{
	"bit": {" bit", " bit", " bits", "bit"}, "byte": {" byte", " byte", " bytes", "B"}, "kilobyte": {" kB", " kilobyte", " kilobytes", "kB"},
	"megabyte": {" MB", " megabyte", " megabytes", "MB"}, "gigabyte": {" GB", " gigabyte", " gigabytes", "GB"},
	"terabyte": {" TB", " terabyte", " terabytes", "TB"}, "petabyte": {" PB", " petabyte", " petabytes", "PB"},
	"millisecond": {" ms", " millisecond", " milliseconds", "ms"}, "second": {" sec", " second", " seconds", "s"},
	"minute": {" min", " minute", " minutes", "m"}, "hour": {" hr", " hour", " hours", "h"}, "day": {" day", " day", " days", "d"},
	"week": {" wk", " week", " weeks", "w"}, "month": {" mth", " month", " months", "m"}, "year": {" yr", " year", " years", "y"},
	"millimeter": {" mm", " millimeter", " millimeters", "mm"}, "centimeter": {" cm", " centimeter", " centimeters", "cm"},
	"meter": {" m", " meter", " meters", "m"}, "kilometer": {" km", " kilometer", " kilometers", "km"}, "mile": {" mi", " mile", " miles", "mi"},
	"foot": {" ft", " foot", " feet", "′"}, "inch": {" in", " inch", " inches", "″"}, "yard": {" yd", " yard", " yards", "yd"},
	"gram": {" g", " gram", " grams", "g"}, "kilogram": {" kg", " kilogram", " kilograms", "kg"}, "pound": {" lb", " pound", " pounds", "#"},
	"ounce": {" oz", " ounce", " ounces", "oz"}, "liter": {" L", " liter", " liters", "L"}, "milliliter": {" mL", " milliliter", " milliliters", "mL"},
	"celsius": {"°C", " degree Celsius", " degrees Celsius", "°C"}, "fahrenheit": {"°F", " degree Fahrenheit", " degrees Fahrenheit", "°"},
	"percent": {"%", " percent", " percent", "%"}, "degree": {" deg", " degree", " degrees", "°"},
	"kilometer-per-hour": {" km/h", " kilometer per hour", " kilometers per hour", "km/h"}, "mile-per-hour": {" mph", " mile per hour", " miles per hour", "mph"},
}
