package org.azuremail.web.layout;

import java.util.List;
import org.thymeleaf.context.IExpressionContext;
import org.thymeleaf.linkbuilder.StandardLinkBuilder;

/**
 * Builds the links in pages. Styles, scripts and images get an address that changes with their content. For any other
 * link, Spring would search each jar for such a file at each use, and would never remember that it does not exist. A
 * page of fifty subscribers has 160 links.
 */
final class PageLinks extends StandardLinkBuilder {

    private static final List<String> FILES = List.of("/css/", "/js/", "/img/", "/webjars/");

    @Override
    protected String processLink(IExpressionContext context, String link) {
        return FILES.stream().anyMatch(link::startsWith) ? super.processLink(context, link) : link;
    }
}
