package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.codec.digest.DigestUtils;
import org.azuremail.id.IdSource;
import org.springframework.stereotype.Component;

/**
 * Ids for the things that forms create. Each form carries a random text of its own ({@code once} in forms.html). The
 * ids are derived from this text, the sender, and everything that was typed. A form that is sent twice, by a double
 * click or by reloading its answer, therefore names the same thing twice, and the store creates it once. With other
 * values, the form names another thing. Nothing is stored for this. Anyone who knows the text and the values can derive
 * the ids, so no cache may keep the form.
 */
@Component
public record IdempotentForms(IdSource random) {

    private static final String FIELD = "_once";
    private static final int MIN_LENGTH = 22;

    /** Returns the text for a form. Called by the page. */
    public String next() {
        return random.token();
    }

    /** Returns the ids of a form; random ones if it carries no text that is hard to guess. */
    public IdSource ids(HttpServletRequest form) {
        String once = form.getParameter(FIELD);
        if (once == null || once.length() < MIN_LENGTH) {
            return random;
        }
        Map<String, String> typed = new TreeMap<>();
        form.getParameterMap().forEach((name, values) -> typed.put(name, Arrays.toString(values)));
        typed.remove("_csrf");
        String seed = DigestUtils.sha256Hex(form.getRemoteUser() + " " + form.getRequestURI() + " " + typed);
        AtomicInteger asked = new AtomicInteger();
        return count -> Arrays.copyOf(DigestUtils.sha512(seed + asked.incrementAndGet()), count);
    }
}
