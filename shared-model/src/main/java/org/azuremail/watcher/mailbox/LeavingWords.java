package org.azuremail.watcher.mailbox;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words by which an email asks to leave. A subject or first line must consist of them and nothing else but courtesies and the
 * list: a person who writes about unsubscribing may not want to leave. {@code docs/watchers.md} lists them.
 */
final class LeavingWords {

    private static final Set<String> WORDS = """
            English: unsubscribe, unsubscribe me, remove, remove me, opt out, signoff, leave, stop
            German: abmelden, abmeldung, abbestellen, austragen, kundigen
            French: desabonner, desabonnement, me desabonner, desinscrire, desinscription, me desinscrire
            Spanish: baja, dar de baja, darme de baja, cancelar suscripcion
            Portuguese: cancelar assinatura, descadastrar, remover
            Italian: cancellami, cancellazione, disiscrivimi, disiscrizione, annulla iscrizione
            Dutch: afmelden, uitschrijven
            Danish, Norwegian, Swedish, Finnish: afmeld, avmeld, avregistrera, avprenumerera, peruuta tilaus
            Polish, Czech: wypisz, wypisz mnie, rezygnuje, odhlasit
            """.lines()
            .flatMap(line -> Stream.of(line.substring(line.indexOf(": ") + 2).split(", ")))
            .collect(Collectors.toUnmodifiableSet());

    private static final int LONGEST = 120;

    private static final String WISH =
            "^(i|we) (want|wish|would like|d like) to |^(can|could|would|will) you |^kindly ";
    private static final String LIST =
            " from (this|your|the|all|any) ((mailing|email|e mail|news) )?(lists?|newsletters?|emails?)$";

    private LeavingWords() {}

    /**
     * Whether this line asks to leave.
     *
     * @param list whose name may follow the words
     */
    static boolean ask(String line, String list) {
        if (line.length() > LONGEST) {
            return false;
        }
        String words = plain(line).replaceFirst(WISH, "").replaceFirst(LIST, "");
        String name = plain(list);
        return WORDS.contains(words)
                || (!name.isEmpty() && WORDS.contains(words.replaceFirst("( from)?( the)? " + name + "( list)?$", "")));
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
