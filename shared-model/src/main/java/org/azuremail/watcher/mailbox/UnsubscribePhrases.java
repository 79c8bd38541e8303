package org.azuremail.watcher.mailbox;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The words by which an email asks to unsubscribe. A subject or first line must consist only of them, courtesies and
 * the list's name, because a person who writes about unsubscribing may not want to unsubscribe.
 * {@code docs/watchers.md} lists the words.
 */
final class UnsubscribePhrases {

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

    private static final int MAX_LENGTH = 120;

    private static final String WISH =
            "^(i|we) (want|wish|would like|d like) to |^(can|could|would|will) you |^kindly ";
    private static final String LIST =
            " from (this|your|the|all|any) ((mailing|email|e mail|news) )?(lists?|newsletters?|emails?)$";

    private UnsubscribePhrases() {}

    /**
     * Returns whether this line asks to unsubscribe.
     *
     * @param list the list whose name may follow the words
     */
    static boolean requestsUnsubscribe(String line, String list) {
        if (line.length() > MAX_LENGTH) {
            return false;
        }
        String words = normalize(line).replaceFirst(WISH, "").replaceFirst(LIST, "");
        String name = normalize(list);
        return WORDS.contains(words)
                || (!name.isEmpty() && WORDS.contains(words.replaceFirst("( from)?( the)? " + name + "( list)?$", "")));
    }

    /** Returns whether two lines are equal apart from case, accents, courtesies and reply prefixes. */
    static boolean equalsIgnoringCourtesies(String one, String other) {
        return normalize(one).equals(normalize(other));
    }

    private static String normalize(String line) {
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
