package org.azuremail.watcher.mailbox;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/**
 * The words by which an email asks to leave. A subject or first line must consist of them and nothing else, but for a courtesy:
 * who writes about unsubscribing does not want to be unsubscribed. {@code docs/watchers.md} lists them.
 */
final class LeavingWords {

    private static final Set<String> WORDS = Set.of(
            // English
            "unsubscribe",
            "unsubscribe me",
            "remove",
            "remove me",
            "opt out",
            "signoff",
            "leave",
            "stop",
            // German
            "abmelden",
            "abmeldung",
            "abbestellen",
            "austragen",
            "kundigen",
            // French
            "desabonner",
            "desabonnement",
            "me desabonner",
            "desinscrire",
            "desinscription",
            "me desinscrire",
            // Spanish, Portuguese
            "baja",
            "dar de baja",
            "darme de baja",
            "cancelar suscripcion",
            "cancelar assinatura",
            "descadastrar",
            "remover",
            // Italian
            "cancellami",
            "cancellazione",
            "disiscrivimi",
            "disiscrizione",
            "annulla iscrizione",
            // Dutch
            "afmelden",
            "uitschrijven",
            // Danish, Norwegian, Swedish, Finnish
            "afmeld",
            "avmeld",
            "avregistrera",
            "avprenumerera",
            "peruuta tilaus",
            // Polish, Czech
            "wypisz",
            "wypisz mnie",
            "rezygnuje",
            "odhlasit");

    private static final int LONGEST = 60;

    private LeavingWords() {}

    /** Whether this line asks to leave. */
    static boolean ask(String line) {
        return line.length() <= LONGEST && WORDS.contains(plain(line));
    }

    /** Whether two lines say the same but for case, accents, courtesies and marks of a reply. */
    static boolean same(String one, String other) {
        return plain(one).equals(plain(other));
    }

    private static String plain(String line) {
        return Normalizer.normalize(line, Normalizer.Form.NFD)
                .replaceAll("\\p{M}+", "")
                .replace('ł', 'l')
                .toLowerCase(Locale.ROOT)
                .replaceAll("^(\\s*(re|aw|sv|tr|rv|antw|odp|fwd?|wg) ?:)+", "")
                .replaceAll("[^\\p{L}]+", " ")
                .replaceAll(
                        "\\b(please|bitte|svp|merci|danke|thanks|thank you|por favor|gracias|per favore|grazie|alstublieft)\\b",
                        "")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
