package org.azuremail.web.layout;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.message.MessageRef;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.servlet.view.RedirectView;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Redirects old bookmarks and links to the tutorial's pages, which consist of controller, action and the keys of a row.
 * As in the tutorial, addresses are not case-sensitive.
 */
@Controller
class TutorialAddresses {

    private static final String MESSAGE = "message";

    @GetMapping({"/{page:(?i)MailingList}", "/{page:(?i)MailingList}/{action}"})
    RedirectView lists(@PathVariable Optional<String> action, HttpServletRequest request) {
        String list = keys(request).getOrDefault("PartitionKey", "");
        return row("/lists", action(action, list), list);
    }

    @GetMapping({"/{page:(?i)Message}", "/{page:(?i)Message}/{action}"})
    RedirectView messages(@PathVariable Optional<String> action, HttpServletRequest request) {
        String row = keys(request).getOrDefault("RowKey", "");
        String number = row.startsWith(MESSAGE) ? row.substring(MESSAGE.length()) : row;
        String ref = MessageRef.parse(number).map(MessageRef::toString).orElse("");
        return row("/messages", action(action, ref), ref);
    }

    @GetMapping({"/{page:(?i)Subscriber}", "/{page:(?i)Subscriber}/{action}"})
    RedirectView subscribers(@PathVariable Optional<String> action, HttpServletRequest request) {
        Map<String, String> keys = keys(request);
        String list = keys.getOrDefault("PartitionKey", "");
        String email = keys.getOrDefault("RowKey", "");
        String named = action(action, list.isEmpty() ? "" : email);
        return switch (named) {
            case "create" -> to("/subscribers");
            case "edit", "delete", "details" -> to("/subscribers/" + named + "?list={list}&email={email}", list, email);
            default -> to("/subscribers");
        };
    }

    private static RedirectView row(String pages, String action, String key) {
        return switch (action) {
            case "create" -> to(pages + "/new");
            case "edit", "delete" -> to(pages + "/{key}/" + action, key);
            case "details" -> to(pages + "/{key}", key);
            default -> to(pages);
        };
    }

    /** Returns the action. An action on a row leads to the page of all rows if the row is missing. */
    private static String action(Optional<String> action, String row) {
        String named = action.orElse("").toLowerCase(Locale.ROOT);
        return named.equals("create") || !row.isEmpty() ? named : "";
    }

    private static Map<String, String> keys(HttpServletRequest request) {
        Map<String, String> keys = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        request.getParameterMap().forEach((name, values) -> keys.put(name, values[0]));
        return keys;
    }

    private static RedirectView to(String path, Object... values) {
        RedirectView ours = new RedirectView(UriComponentsBuilder.fromUriString(path)
                .encode()
                .buildAndExpand(values)
                .toUriString());
        ours.setStatusCode(HttpStatus.MOVED_PERMANENTLY);
        return ours;
    }
}
